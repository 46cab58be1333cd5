// Serves the git repositories of a directory over HTTPS, with `git http-backend`. It needs node and git.
import fs from "node:fs";
import https from "node:https";
import { spawn } from "node:child_process";

const [root, key, certificate] = process.argv.slice(2);
const identity = { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) };

const serve = (request, response) => {
  const { pathname, search } = new URL(request.url, "https://localhost");
  // What is asked for below `moved` is elsewhere, as its server says.
  if (pathname.startsWith("/moved/")) {
    response.writeHead(302, { location: pathname.slice("/moved".length) + search });
    response.end();
    return;
  }
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      GIT_PROTOCOL: request.headers["git-protocol"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REMOTE_ADDR: "127.0.0.1",
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  request.pipe(backend.stdin);
  const said = [];
  backend.stdout.on("data", (piece) => said.push(piece));
  backend.on("close", () => {
    const whole = Buffer.concat(said);
    const end = whole.indexOf("\r\n\r\n");
    let status = 200;
    for (const line of whole.subarray(0, end).toString().split("\r\n")) {
      const [name, value] = line.split(": ", 2);
      if (name === "Status") status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status);
    response.end(whole.subarray(end + 4));
  });
};

const server = https.createServer(identity, serve);
server.listen(0, "127.0.0.1", () => console.log(`PORT ${server.address().port}`));
