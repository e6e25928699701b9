import { createServer } from 'node:net';
import { z } from 'zod';
import { runMain, defineService } from '../src/run.ts';

const say = (words: string) => void process.stdout.write(`${words}\n`);

/** A service that logs its lifecycle; started by tests in a separate process. */
const service = defineService({
  name: 'tiny',
  config: z.object({
    MODE: z.enum(['ready', 'fails', 'hangs', 'rejects', 'throws']),
    PORT_COUNT: z.coerce.number().int(),
  }),
  async start({ MODE }, lifecycle) {
    const server = createServer().listen(0);
    lifecycle.defer('first', () => {
      say('stopped first');
      server.close();
    });
    lifecycle.defer('second', () => say('stopped second'));
    say('started');
    if (MODE === 'fails') throw new Error('no database at mongodb://root:s3cret@db');
    if (MODE === 'hangs') await new Promise(() => {});
    if (MODE === 'rejects') setImmediate(async () => Promise.reject(new Error('not handled')));
    if (MODE === 'throws')
      setImmediate(() => {
        throw new Error('not handled');
      });
  },
});

await runMain(service);
