export interface NatsSettings {
  readonly port: number;
  readonly storeDir: string;
  readonly user: string;
  readonly password: string;
}

/**
 * The configuration file of an embedded nats-server: loopback only, with a password, JetStream on disk, small in memory.
 * Streams reserve what they may hold, and the file store is written through every second: a power cut costs no more.
 */
export function natsConfig({ port, storeDir, user, password }: NatsSettings): string {
  return `server_name: parley-local
host: 127.0.0.1
port: ${port}
max_payload: 1MB
authorization {
  user: ${quoted(user)}
  password: ${quoted(password)}
}
jetstream {
  store_dir: ${quoted(storeDir)}
  max_memory_store: 64MB
  max_file_store: 200GB
  sync_interval: 1s
}
`;
}

/** A quoted string of the configuration language, which knows JSON's escapes for these characters. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('a control character in a NATS setting');
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
