// DescriptorTable: which handler belongs to which registration.

/// Which handler belongs to which registration.
///
/// Slots are reused; the generation tells an event for an old owner of a slot from one for the new owner, since a
/// closed descriptor may still stand in the batch being handled.
struct DescriptorTable {
    private struct Slot {
        var handler: (any DescriptorHandler)?
        var generation: UInt32
    }

    private var slots: [Slot] = []
    private var free: [Int] = []

    /// Takes a slot for a handler.
    mutating func insert(_ handler: any DescriptorHandler) -> DescriptorToken {
        if let slot = free.popLast() {
            slots[slot].handler = handler
            return DescriptorToken(slot: slot, generation: slots[slot].generation)
        }
        slots.append(Slot(handler: handler, generation: 0))
        return DescriptorToken(slot: slots.count - 1, generation: 0)
    }

    /// The handler, or nil when the registration is gone.
    func handler(for token: DescriptorToken) -> (any DescriptorHandler)? {
        let slot = Int(token.slot)
        guard slot >= 0, slot < slots.count, slots[slot].generation == token.generation else { return nil }
        return slots[slot].handler
    }

    /// Every handler that is registered.
    var handlers: [any DescriptorHandler] { slots.compactMap(\.handler) }

    /// Gives a slot back.
    ///
    /// Returns whether the registration was alive.
    @discardableResult
    mutating func remove(_ token: DescriptorToken) -> Bool {
        let slot = Int(token.slot)
        guard slot >= 0, slot < slots.count, slots[slot].generation == token.generation, slots[slot].handler != nil
        else { return false }
        slots[slot].handler = nil
        slots[slot].generation &+= 1
        free.append(slot)
        return true
    }
}
