"""Echo with PyPI `socketify`, which is uWebSockets with handlers in Python: socketify_echo.py PORT"""

import sys

from socketify import App, AppListenOptions, CompressOptions

app = App()
app.ws(
    "/*",
    {
        "compression": CompressOptions.DISABLED,
        "max_payload_length": 16 * 1024 * 1024,
        "idle_timeout": 0,
        "message": lambda socket, message, opcode: socket.send(message, opcode),
    },
)
app.listen(AppListenOptions(port=int(sys.argv[1]), host="127.0.0.1"), lambda _: print("ready", flush=True))
app.run()
