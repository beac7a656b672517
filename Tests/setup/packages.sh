#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing. Prints nothing when none is.
set -euo pipefail

missing=()
for package in "$@"; do
    status=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing: ${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then sudo=(sudo); fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get -q -o DPkg::Lock::Timeout=600 update >/dev/null
"${sudo[@]}" apt-get -q -o DPkg::Lock::Timeout=600 install --yes --no-install-recommends "${missing[@]}" >/dev/null
