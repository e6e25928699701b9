/** A user of the server. Without permissions it may do everything. */
export interface NatsUser {
  readonly user: string;
  readonly password: string;
  /** Subjects, with wildcards; everything else is refused. A user may always respond to requests. */
  readonly permissions?: { readonly publish: readonly string[]; readonly subscribe: readonly string[] };
}

export interface NatsSettings {
  readonly port: number;
  readonly storeDir: string;
  readonly users: readonly NatsUser[];
}

/**
 * The configuration file of an embedded nats-server: loopback only, with passwords, JetStream on disk, small in memory.
 * Streams reserve what they may hold, and the file store is written through every second: a power cut costs no more.
 */
export function natsConfig({ port, storeDir, users }: NatsSettings): string {
  return `server_name: parley-local
host: 127.0.0.1
port: ${port}
max_payload: 1MB
authorization {
  users: [
${users.map((user) => `    ${natsUser(user, quoted)}\n`).join('')}  ]
}
jetstream {
  store_dir: ${quoted(storeDir)}
  max_memory_store: 64MB
  max_file_store: 200GB
  sync_interval: 1s
}
`;
}

/** One entry of `users` in a configuration file; the password is quoted, or a literal `$VARIABLE`. */
export function natsUser(
  { user, password, permissions }: NatsUser,
  writePassword: (password: string) => string,
): string {
  const list = (subjects: readonly string[]) => `[${subjects.map(quoted).join(', ')}]`;
  const rights =
    permissions &&
    `permissions: { publish: ${list(permissions.publish)}, subscribe: ${list(permissions.subscribe)}, allow_responses: true }`;
  return `{ ${[`user: ${quoted(user)}`, `password: ${writePassword(password)}`, ...(rights ? [rights] : [])].join(', ')} }`;
}

/** A quoted string of the configuration language, which supports JSON's escapes for these characters. */
function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new Error('a control character in a NATS setting');
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
