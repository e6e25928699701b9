import { natsUser } from '@parley/embedded';
import { natsPermissions, natsServices } from '@parley/events';
import { upperSnake } from './manifests/service-facts.ts';

/** The variable of docker-compose.yml with the password of a service's user at NATS. */
export const natsPasswordVariable = (service: string): string => `${upperSnake(service)}_NATS_PASSWORD`;

/** The files made from the table of permissions (`libs/events/src/broker/nats-permissions.ts`), by their path. */
export function natsConfigurationFiles(): Readonly<Record<string, string>> {
  return {
    'deploy/images/nats.conf': composeConfiguration({ sandbox: false }),
    'deploy/images/nats-sandbox.conf': composeConfiguration({ sandbox: true }),
    'helm/parley/files/nats-permissions.json': `${JSON.stringify(chartPermissions(), null, 2)}\n`,
  };
}

function composeConfiguration({ sandbox }: { sandbox: boolean }): string {
  const users = natsServices
    .filter((service) => sandbox || service !== 'sandbox')
    .map((service) => {
      const permissions = natsPermissions(service, { testClock: sandbox });
      return natsUser({ user: service, password: `$${natsPasswordVariable(service)}`, permissions }, (name) => name);
    });
  return `# NATS for docker-compose.yml: one server, JetStream on a volume, a user per service. Production runs three (docs/operations.md).
# Made by "npm run generate" from libs/events/src/broker/nats-permissions.ts.
server_name: parley
listen: 0.0.0.0:4222
http: 127.0.0.1:8222
jetstream {
  store_dir: /data
  max_memory_store: 64M
  max_file_store: 4G
  # What a power cut may cost; the default is two minutes.
  sync_interval: 1s
}
authorization {
  users: [
${users.map((user) => `    ${user}\n`).join('')}  ]
}
`;
}

/** Per service: permissions with the sandbox, which moves the clock, and without it. */
function chartPermissions() {
  const both = (service: string) => ({
    permissions: natsPermissions(service),
    withSandbox: natsPermissions(service, { testClock: true }),
  });
  return Object.fromEntries(natsServices.map((service) => [service, both(service)]));
}
