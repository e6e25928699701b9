import { describe, expect, it } from '@jest/globals';
import { createLog } from './log.ts';

const CANARY = 'pk_canary0123456789abcdef';

function recorded() {
  const lines: string[] = [];
  const log = createLog({
    service: 'directory',
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '') };
}

describe('the log', () => {
  it('the log is a line of JSON with service, level, time, message and fields', () => {
    const { log, last } = recorded();
    log.info({ id: 'con_1' }, 'contact created');
    expect(last()).toEqual({
      service: 'directory',
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      msg: 'contact created',
      id: 'con_1',
    });
  });

  it('the log leaves out what is below its level', () => {
    const { log, lines } = recorded();
    log.debug('no');
    expect(lines).toEqual([]);
  });

  it('the log shows an error with its type, message and stack', () => {
    const { log, last } = recorded();
    log.error({ err: new TypeError('no such thing') }, 'failed');
    expect(last().err).toMatchObject({ type: 'TypeError', message: 'no such thing', stack: expect.any(String) });
  });

  it.each([
    ['the message', (log) => log.info(`got ${CANARY}`)],
    ['a field', (log) => log.info({ given: CANARY }, 'got')],
    ['a secret field', (log) => log.info({ password: 'canary' }, 'got')],
    ['a nested field', (log) => log.info({ a: { b: [{ token: 'canary' }, CANARY] } }, 'got')],
    ['an error without a log message', (log) => log.error(new Error(`no ${CANARY}`))],
    ['an error field without a message', (log) => log.error({ err: new Error(`no ${CANARY}`) })],
    ['the cause of an error', (log) => log.error({ err: new Error('no', { cause: new Error(CANARY) }) }, 'no')],
    ['text put into the message', (log) => log.info('got %s', CANARY)],
    ['an object put into the message', (log) => log.info('got %o', { password: 'canary' })],
    ['a child’s own fields', (log) => log.child({ token: 'canary', given: CANARY }).info('got')],
    ['the prefix of messages', (log) => log.child({}, { msgPrefix: `${CANARY} ` }).info('got')],
  ] as [string, (log: ReturnType<typeof createLog>) => void][])('the log never shows a secret of %s', (_, write) => {
    const { log, lines } = recorded();
    write(log);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('canary');
    expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
  });
});
