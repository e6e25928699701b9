// Loaded before a program (NODE_OPTIONS=--import): its clock is ahead of the machine's, or behind.
const skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const Machine = Date;
globalThis.Date = class extends Machine {
  constructor(...given) {
    if (given.length === 0) super(Machine.now() + skewMs);
    else super(...given);
  }
  static now = () => Machine.now() + skewMs;
};
