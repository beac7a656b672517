// Echo with node `ws`: node ws_echo.js PORT
const { WebSocketServer } = require("ws");

const server = new WebSocketServer(
  { host: "127.0.0.1", port: Number(process.argv[2]), perMessageDeflate: false, backlog: 4096 },
  () => console.log("ready"),
);
server.on("connection", (socket) => {
  socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
  socket.on("error", () => {});
});
