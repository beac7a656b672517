// Store+Erase: what is forgotten or too old is deleted, in slices.
// Spec: docs/protocol.md §8 (`forget`); docs/reliability.md

extension Store {
    /// Erases a session's records: `done` is called when no byte of them is left in the file or its write-ahead log.
    ///
    /// Success also where there is none. ``StoreError/busy`` when another process keeps reading the old state.
    public func forget(session: String, done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        forget(done) { (worker) throws(StoreError) in try worker.mark(session: session) }
    }

    /// Erases all records of a subject.
    public func forget(subject: String, done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        forget(done) { (worker) throws(StoreError) in try worker.mark(subject: subject) }
    }

    /// Goes on with what a stopped process was erasing.
    func resumeErasing() { upkeep { [weak self] worker in self?.erase(worker) } }

    /// Looks for sessions that are too old, now and then again and again.
    func keepRetention() {
        guard settings.retentionDays > 0 else { return }
        retain { _ in }
        upkeep(after: settings.retentionMilliseconds) { store, _ in store.keepRetention() }
    }

    /// Deletes sessions that nobody touched for the days of retention.
    package func retain(done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        upkeep { [weak self] worker in self?.retain(after: 0, worker, done) }
    }

    private func retain(
        after row: Int64, _ worker: StoreWorker, _ done: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            if let next = try worker.markOld(after: row) {
                upkeep { [weak self] worker in self?.retain(after: next, worker, done) }
                return
            }
            worker.erasing.append(done)
            erase(worker)
        } catch {
            worker.notice(.upkeep, "sessions that are too old could not be deleted: \(error)")
            done(.failure(error))
        }
    }

    private func forget(
        _ done: @escaping @Sendable (Result<Void, StoreError>) -> Void,
        _ mark: @escaping @Sendable (StoreWorker) throws(StoreError) -> Void
    ) {
        let failed: @Sendable (Result<Void, StoreError>) -> Void = { if case .failure = $0 { done($0) } }
        request(failed) { [weak self] (worker) throws(StoreError) in
            try mark(worker)
            worker.erasing.append(done)
            self?.erase(worker)
        }
    }

    /// Erases a slice and puts the next one behind what waits.
    private func erase(_ worker: StoreWorker) {
        guard !worker.isErasing else { return }
        worker.isErasing = true
        eraseSlice(worker)
    }

    private func eraseSlice(_ worker: StoreWorker) {
        do throws(StoreError) {
            if try worker.eraseSlice() {
                upkeep { [weak self] worker in self?.eraseSlice(worker) }
                return
            }
            worker.isErasing = false
            guard !worker.erasing.isEmpty else { return }
            worker.endErasing(worker.truncateLog(patiently: true) ? .success(()) : .failure(.busy))
        } catch {
            worker.isErasing = false
            worker.endErasing(.failure(error))
        }
    }
}
