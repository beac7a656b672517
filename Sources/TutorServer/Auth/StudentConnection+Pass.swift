// StudentConnection, pass: lets clients in, takes new tokens, ends with the token.
// Spec: docs/protocol.md §1, §3, §8; docs/auth.md

internal import NetIO
internal import Telemetry
internal import TutorProtocol

extension StudentConnection {
    /// Lets a hello in; false when the client was refused and the connection closes.
    func letIn(_ hello: Hello, re: MessageID?, on shard: isolated Shard) -> Bool {
        do throws(AuthFault) {
            try pass.identify(hello)
            return true
        } catch {
            services.log.info("client refused", metadata: ["reason": error.rawValue, "address": pass.client.host])
            send(.error(error.errorMessage(re: re, isFatal: true)), on: shard)
            channel?.close(error.closeReason, on: shard)
            return false
        }
    }

    /// Watches the end of the token, from behind the `welcome`.
    func watchToken(on shard: isolated Shard) {
        pass.watch(on: shard) { [weak self] in self?.take($0, on: shard) }
    }

    /// Takes `auth.refresh`.
    func refresh(_ token: String, re: MessageID?, on shard: isolated Shard) {
        do throws(AuthFault) {
            guard try pass.refresh(token, on: shard) != nil else {
                return reply(
                    .error(ErrorMessage(re: re, code: .unsupported, message: "this server runs without tokens")),
                    on: shard)
            }
            if let re { reply(.ok(re: re), on: shard) }
        } catch {
            services.log.info("new token refused", metadata: ["reason": error.rawValue, "address": pass.client.host])
            reply(.error(error.errorMessage(re: re, isFatal: false)), on: shard)
        }
    }

    private func take(_ notice: ConnectionPass.Notice, on shard: isolated Shard) {
        switch notice {
        case .warn(let bye): reply(.bye(bye), on: shard)
        case .end(let fault):
            services.log.info("token ended", metadata: ["session": host?.id ?? "-"])
            send(.error(fault.errorMessage(re: nil, isFatal: true)), on: shard)
            channel?.close(fault.closeReason, on: shard)
        }
    }

    /// In a session an answer keeps its place behind what a slow socket has not taken yet.
    private func reply(_ message: ServerMessage, on shard: isolated Shard) {
        if let host { host.send(message, on: shard) } else { send(message, on: shard) }
    }
}
