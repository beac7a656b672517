// JSONTarget: any bytes are a message or a typed error; an accepted message is JSON, and written again, in either order
// of its keys, reads as itself.
// Spec: RFC 8259; docs/protocol.md §2-§5, §10

import TutorProtocol

/// The input is one message.
func fuzzJSON(_ bytes: [UInt8]) {
    let limits = Limits()
    let jsonLimits = JSONLimits(
        bytes: limits.clientMessageBytes, depth: limits.jsonDepth, keys: limits.objectKeys,
        values: limits.clientMessageBytes)
    let reading = tree(bytes, jsonLimits)
    let value = try? reading.get()
    if let value {
        var written: [UInt8] = []
        value.append(to: &written)
        // A value may take six times its bytes when it is escaped again.
        let again = tree(written, JSONLimits(bytes: 8 * bytes.count + 64))
        invariant(again == .success(value), "\(value) reads again as \(again)")
    }
    let message: ClientMessage
    do throws(MessageError) {
        message = try MessageDecoder(limits: limits).decode(bytes)
    } catch {
        invariant(!error.message.isEmpty, "an error without a text")
        if case .failure(let fault) = reading, !fault.isAboutValue {
            invariant(error.code != .badMessage, "what is no JSON, \(fault), was \(error)")
        }
        return
    }
    invariant(value != nil, "\(message) was read from what is no JSON")
    for typeFirst in [true, false] {
        let written = MessageSpelling(typeFirst: typeFirst).bytes(of: message)
        do throws(MessageError) {
            let again = try MessageDecoder(limits: roomy).decode(written)
            invariant(again == message, "\(message) reads again as \(again)")
        } catch {
            invariant(false, "\(String(decoding: written, as: UTF8.self)) is refused: \(error)")
        }
    }
}

/// Room for the longer spelling of the same message.
private let roomy = {
    var limits = Limits()
    limits.clientMessageBytes *= 8
    return limits
}()

private func tree(_ bytes: [UInt8], _ limits: JSONLimits) -> Result<JSONValue, JSONError> {
    do throws(JSONError) {
        return .success(try JSONValue.parse(bytes, limits: limits))
    } catch {
        invariant(error.offset >= 0 && error.offset <= bytes.count, "an error outside the input")
        return .failure(error)
    }
}
