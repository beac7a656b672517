// Aliases: small numbers that stay their element's own.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct AliasTableTests {
    @Test func staysItsOwnWhileTheElementLives() throws {
        var table = AliasTable()
        let state = try screen(column(["a", "b"]))
        let first = state.elements.map { table.alias(for: $0.serial) }
        for _ in 0..<10 { table.endTurn(on: state) }
        #expect(first == [1, 2] && state.elements.map { table.alias(for: $0.serial) } == first)
        #expect(table.serial(for: 2) == state.elements[1].serial && table.serial(for: 3) == nil)
    }

    @Test func isKeptForThreeTurnsAndNotGivenToAnother() throws {
        var table = AliasTable()
        var state = try screen(column(["a", "b"]))
        let gone = state.elements[0].serial
        let alias = table.alias(for: gone)
        _ = table.alias(for: state.elements[1].serial)
        try state.take(ScreenDelta(base: 1, revision: 2, remove: [id("e0")], add: [element("new")]))
        for _ in 0..<3 {
            table.endTurn(on: state)
            #expect(table.serial(for: alias) == gone)
        }
        table.endTurn(on: state)
        #expect(table.serial(for: alias) == nil)
        #expect(try table.alias(for: #require(state.element(id("new"))).serial) == 3)
    }

    @Test func beginsAgainAtOneWhenNothingIsHeld() throws {
        var table = AliasTable()
        let state = try screen(column(["a", "b"]))
        for element in state.elements { _ = table.alias(for: element.serial) }
        let empty = ScreenState()
        for _ in 0..<4 { table.endTurn(on: empty) }
        #expect(table.alias(for: ElementSerial(rawValue: 99)) == 1)
    }
}
