// Says on which port a server listens that was told to take a free one (PORT=0).
import net from "node:net";

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...rest) {
  this.once("listening", () => console.log(`PORT ${this.address().port}`));
  return listen.apply(this, rest);
};
