// DescriptorLimit: how many descriptors this process may have.
// Source: getrlimit(2)

internal import Glibc

/// How many descriptors this process may have.
public enum DescriptorLimit {
    /// Raises the soft limit to the hard one.
    ///
    /// Every connection is a descriptor, and the usual soft limit of 1 024 is far below what the process may have.
    public static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
