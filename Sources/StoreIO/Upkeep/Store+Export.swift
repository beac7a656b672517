// Store+Export: everything that is kept about a subject, as JSON.
// Spec: docs/protocol.md §8 (`GET /v1/records`)

extension Store {
    /// Everything that is kept about a subject, as JSON: sessions, their turns with question, answer and summary, and
    /// feedback.
    ///
    /// At most ``StoreSettings/exportBytes``; what is over is left out, whole turns at a time, and `cut` is true. Writes
    /// go on between its sessions.
    public func export(
        subject: String, done: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
    ) {
        let failed: @Sendable (Result<Void, StoreError>) -> Void = { result in
            if case .failure(let error) = result { done(.failure(error)) }
        }
        request(failed) { [weak self, settings] (_) throws(StoreError) in
            self?.export(after: 0, RecordsWriter(subject: subject, limit: settings.exportBytes), subject: subject, done)
        }
    }

    private func export(
        after row: Int64, _ writer: RecordsWriter, subject: String,
        _ done: @escaping @Sendable (Result<[UInt8], StoreError>) -> Void
    ) {
        let isOpen = upkeep { [weak self] worker in
            var writer = writer
            do throws(StoreError) {
                if !writer.isCut, let next = try worker.exportSession(after: row, of: subject, to: &writer) {
                    self?.export(after: next, writer, subject: subject, done)
                } else {
                    done(.success(writer.finish()))
                }
            } catch {
                done(.failure(error))
            }
        }
        if !isOpen { done(.failure(.closed)) }
    }
}
