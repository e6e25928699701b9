import { connect } from 'node:net';
import { encodeCommand, FrameReader, readReply, type SwitchAddress } from '@parley/event-socket';

const LIMIT_MS = 5000;

/** Tries a switch's event socket. What is wrong with it, for a person; undefined when it answers and takes the login. */
export function checkSwitch({ host, port, login }: SwitchAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FrameReader();
    const socket = connect({ host, port });
    const end = (problem: string | undefined) => {
      clearTimeout(limit);
      socket.destroy();
      resolve(problem);
    };
    const limit = setTimeout(() => end(`${host}:${port} does not answer as an event socket`), LIMIT_MS);
    socket.on('error', ({ message }) => end(message));
    socket.on('close', () => end(`${host}:${port} closed the connection`));
    socket.on('data', (chunk) => {
      const { items, error } = reader.push(chunk);
      if (error) return end(`${host}:${port} is not an event socket`);
      for (const frame of items) {
        const type = frame.headers.get('content-type');
        const reply = readReply(frame);
        if (type === 'text/rude-rejection')
          return end(`${host}:${port} takes no connections from here (CALL_CONTROL_NETWORKS of the switch)`);
        if (type === 'auth/request') socket.write(encodeCommand(login));
        else if (reply) return end(reply.ok ? undefined : `${host}:${port} refuses the user or the password`);
      }
    });
  });
}
