import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that keeps what it is given, and can be set to refuse it or to answer late. */
export interface TestMailServer {
  readonly url: string;
  /** The messages to an address as they came, soft line breaks taken out. */
  sentTo(address: string): string[];
  /** The number of accepted messages. */
  sent(): number;
  refuse(refusing: boolean): void;
  /** Messages to an address are read and not answered until the returned function is called. */
  hold(address: string): { readonly isReceived: () => boolean; readonly release: () => void };
  /** The number of refused messages. */
  refused(): number;
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<TestMailServer> {
  const messages: { to: string; text: string }[] = [];
  let refusing = false;
  let refusals = 0;
  const held = new Map<string, (() => void)[]>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      if (!refusing) return done();
      refusals += 1;
      return done(new Error('451 try again later'));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        for (const { address } of session.envelope.rcptTo) messages.push({ to: address, text });
        const waiting = session.envelope.rcptTo.map(({ address }) => held.get(address)).find(Boolean);
        if (waiting) waiting.push(done);
        else done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    sentTo: (address) => messages.filter(({ to }) => to === address).map(({ text }) => text),
    sent: () => messages.length,
    refuse: (value) => void (refusing = value),
    hold(address) {
      const waiting: (() => void)[] = [];
      held.set(address, waiting);
      return {
        isReceived: () => waiting.length > 0,
        release() {
          held.delete(address);
          for (const done of waiting) done();
        },
      };
    },
    refused: () => refusals,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
