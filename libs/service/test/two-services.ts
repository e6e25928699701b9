// Two services in one process; the second one fails as the argument says.
import { createServer, connect } from 'node:net';
import { z } from 'zod';
import { defineService, reportCrash, type RunningService, startService, stopOnCrash } from '../src/index.ts';

const running: RunningService[] = [];
stopOnCrash(
  (event, error) => reportCrash(running, event, error),
  (code) => process.exit(code),
);

const fail = () => {
  throw new Error('not handled');
};
const failures: Record<string, () => void> = {
  timer: () => void setTimeout(fail, 1),
  rejection: () => void setTimeout(async () => fail(), 1),
  tick: () => void setTimeout(() => process.nextTick(fail), 1),
  socket: () => {
    const server = createServer((socket) => socket.on('data', () => socket.destroy(new Error('not handled'))));
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .write('x');
    });
  },
};

const first = defineService({
  name: 'first',
  config: z.object({}),
  start: async () => void setInterval(() => {}, 1000),
});
const second = defineService({
  name: 'second',
  config: z.object({}),
  start: async (_config, lifecycle) => {
    // After the start, when both are known.
    setTimeout(() => (lifecycle.health() === 'ready' ? failures[process.argv[2] ?? '']?.() : undefined), 20);
  },
});
for (const service of [first, second]) running.push(await startService(service, {}));
