"""Scans the server's TLS with sslyze, and with testssl.sh where it is installed; fails on every finding that is left.

A scan is of a server with an ECDSA and an RSA certificate at once. Both are self-signed, so three findings are expected
and no others: sslyze's certificate path, testssl's chain of trust and its missing revocation address.

    python Tests/tls/scan.py        (make tls-scan)
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from certificates import KINDS, make_certificate  # noqa: E402
from server import ServerProcess  # noqa: E402

SUITES_12 = {f"TLS_ECDHE_{signature}_WITH_{cipher}" for signature in ("ECDSA", "RSA")
             for cipher in ("AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256")}
SUITES_13 = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
GROUPS = {"X25519", "secp256r1", "secp384r1"}

EXPECTED_SSLYZE = {"certificate_path_validation"}
# The last is testssl's word about the openssl command that it runs, not about the server.
EXPECTED_TESTSSL = {"cert_chain_of_trust", "cert_revocation", "engine_problem"}
# Protocols, suites, forward secrecy, preferences, defaults, headers, vulnerabilities.
TESTSSL_PARTS = ["-p", "-s", "-f", "-P", "-S", "-h", "-U"]


def sslyze(address, folder):
    """Findings of sslyze: against Mozilla's profile, and against what docs/tls.md says."""
    report = folder / "sslyze.json"
    done = subprocess.run(
        [Path(sys.executable).parent / "sslyze", "--mozilla_config=intermediate", f"--json_out={report}",
         "--early_data", "--resum", "--http_headers", *(f"--{part}" for part in (
             "certinfo", "sslv2", "sslv3", "tlsv1", "tlsv1_1", "tlsv1_2", "tlsv1_3", "compression", "heartbleed",
             "openssl_ccs", "fallback", "robot", "reneg", "elliptic_curves", "ems")), address],
        capture_output=True, text=True, timeout=300)
    if not report.exists():
        return [f"sslyze wrote no report: {done.stdout[-500:]}{done.stderr[-500:]}"]
    scan = json.loads(report.read_text())["server_scan_results"][0]
    if scan["scan_status"] != "COMPLETED":
        return [f"sslyze: {scan['connectivity_error_trace']}"]
    results = {name: part["result"] for name, part in scan["scan_result"].items()}
    # Below the heading only: the report above it has lines of the same shape.
    compliance = done.stdout.partition("COMPLIANCE AGAINST TLS CONFIGURATION")[2]
    issues = [line.strip().removeprefix("* ") for line in compliance.splitlines() if line.strip().startswith("* ")]
    findings = [issue for issue in issues if issue.split(":")[0] not in EXPECTED_SSLYZE]
    if "Checking results against" not in compliance:
        findings.append("the profile was not checked")

    def accepted(version):
        return {entry["cipher_suite"]["name"] for entry in results[version]["accepted_cipher_suites"]}

    checks = {
        "no old version": not any(accepted(f"{v}_cipher_suites") for v in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1")),
        "TLS 1.2 suites": accepted("tls_1_2_cipher_suites") == SUITES_12,
        "TLS 1.3 suites": accepted("tls_1_3_cipher_suites") == SUITES_13,
        "groups": {curve["name"] for curve in results["elliptic_curves"]["supported_curves"]} == GROUPS,
        "two certificates": len({d["received_certificate_chain"][0]["public_key"]["algorithm"]
                                 for d in results["certificate_info"]["certificate_deployments"]}) == 2,
        "no compression": not results["tls_compression"]["supports_compression"],
        "no early data": not results["tls_1_3_early_data"]["supports_early_data"],
        "no renegotiation": not results["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"],
        "secure renegotiation said": results["session_renegotiation"]["supports_secure_renegotiation"],
        "extended master secret": results["tls_extended_master_secret"]["supports_ems_extension"],
        "no resumption by id": results["session_resumption"]["session_id_resumption_result"] == "NOT_SUPPORTED",
        "no resumption by ticket": results["session_resumption"]["tls_ticket_resumption_result"] == "NOT_SUPPORTED",
        "no Heartbleed": not results["heartbleed"]["is_vulnerable_to_heartbleed"],
        "no CCS injection": not results["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"],
        "no ROBOT": results["robot"]["robot_result"].startswith("NOT_VULNERABLE"),
        "fallback signal": results["tls_fallback_scsv"]["supports_fallback_scsv"],
    }
    return findings + [f"not so: {name}" for name, holds in checks.items() if not holds]


def testssl(command, address, folder):
    """Findings of testssl.sh above INFO."""
    report = folder / "testssl.json"
    done = subprocess.run(
        [command, "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", *TESTSSL_PARTS,
         "--jsonfile", report, address], capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    try:
        entries = json.loads(report.read_text())
    except (OSError, ValueError) as error:
        return [f"testssl wrote no report: {error} {done.stdout[-500:]}"]
    if not any(entry["id"] == "scanTime" for entry in entries):
        return ["testssl did not come to its end"]
    # The identifier of a certificate's finding ends with its number.
    return [f"{entry['severity']} {entry['id']}: {entry['finding']}" for entry in entries
            if entry["severity"] not in ("OK", "INFO") and entry["id"].split(" ")[0] not in EXPECTED_TESTSSL]


def main():
    command = shutil.which("testssl") or shutil.which("testssl.sh")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind in KINDS:
            make_certificate(folder, "scan", kind)
        with ServerProcess(
            CHALKLINE_TLS_CERT=",".join(str(folder / f"scan-{kind}.pem") for kind in KINDS),
            CHALKLINE_TLS_KEY=",".join(str(folder / f"scan-{kind}.key") for kind in KINDS),
            CHALKLINE_TLS_HSTS_DAYS="365",
        ) as server:
            address = f"127.0.0.1:{server.port}"
            scans = {"sslyze": lambda: sslyze(address, folder)}
            if command:
                scans["testssl"] = lambda: testssl(command, address, folder)
            else:
                print("skipped: testssl is not installed (Debian: testssl.sh)")
            failed = False
            for scanner, scan in scans.items():
                findings = scan()
                failed = failed or bool(findings)
                print(f"{scanner}: {len(findings)} findings beside those of a self-signed certificate", flush=True)
                for finding in findings:
                    print(f"  {finding}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
