import type { Secrets } from './new-secrets.ts';

const variable = (service: string, name: string) => `${service.toUpperCase().replaceAll('-', '_')}_${name}`;

/** The env file of docker-compose.yml. */
export function composeEnv(secrets: Secrets, options: { sandbox?: boolean; freeswitch?: boolean } = {}): string {
  const lines = [
    ['OPERATOR_TOKEN', secrets.operatorToken],
    ['MONGODB_ROOT_PASSWORD', secrets.mongodbRootPassword],
    ['MONGODB_REPLICA_SET_KEY', secrets.mongodbReplicaSetKey],
    ['EVENT_SOCKET_PASSWORD', secrets.eventSocketPassword],
    ['SWITCH_SECRET', secrets.switchSecret],
    // Compose takes a value in single quotes literally.
    ['TRUSTED_KEYS', `'${JSON.stringify(secrets.trustedKeys)}'`],
    ...Object.entries(secrets.signingKeys).map(([service, key]) => [variable(service, 'SIGNING_KEY'), key]),
    ...Object.entries(secrets.encryptionKeys).map(([service, key]) => [variable(service, 'ENCRYPTION_KEY'), key]),
    ...Object.entries(secrets.mongodbPasswords).map(([service, key]) => [variable(service, 'MONGODB_PASSWORD'), key]),
    ...Object.entries(secrets.natsPasswords).map(([service, key]) => [variable(service, 'NATS_PASSWORD'), key]),
    ...(options.sandbox
      ? [
          ['COMPOSE_PROFILES', 'sandbox'],
          ['TEST_CLOCK', 'on'],
          ['NATS_CONFIG', 'nats-sandbox.conf'],
          ['ALLOWED_ORIGINS', 'http://sandbox:8082'],
          ['ASSISTANT_ALLOWED_ORIGINS', 'http://sandbox:8082'],
          ['SMTP_URL', 'smtp://sandbox:2525'],
          ['SWITCHES', `'${JSON.stringify([sandboxSwitch(secrets)])}'`],
          ['CARRIERS', `'${JSON.stringify([{ name: 'sandbox', dial: 'sofia/external/{number}@carrier.invalid' }])}'`],
        ]
      : []),
    ...(options.freeswitch
      ? [
          ['COMPOSE_PROFILES', 'switch'],
          ['SWITCHES', `'${JSON.stringify([realSwitch(secrets)])}'`],
          ['CARRIERS', `'[]'`],
          ['CARRIER_NETWORKS', ''],
          ['EXTERNAL_IP', ''],
        ]
      : []),
  ];
  return lines.map(([name, value]) => `${name}=${value}\n`).join('');
}

/** The sandbox's telephone network, as call-control's SWITCHES lists it. */
const sandboxSwitch = ({ eventSocketPassword, switchSecret }: Secrets) => ({
  name: 'sandbox',
  url: `esl://call-control:${eventSocketPassword}@sandbox:8021`,
  secret: switchSecret,
});

/** The FreeSWITCH of the profile `switch`. */
const realSwitch = ({ eventSocketPassword, switchSecret }: Secrets) => ({
  name: 'freeswitch',
  url: `esl://call-control:${eventSocketPassword}@freeswitch:8021`,
  secret: switchSecret,
});

/** A Secret per service with the keys that can be made here, and the public halves for the chart's values. */
export function kubernetesSecrets(secrets: Secrets, name: string): string {
  const documents = Object.entries(secrets.signingKeys).map(([service, signingKey]) => {
    const encryptionKey = secrets.encryptionKeys[service];
    const natsPassword = secrets.natsPasswords[service];
    return [
      'apiVersion: v1',
      'kind: Secret',
      `metadata: { name: ${name}-${service}-keys }`,
      'stringData:',
      `  SIGNING_KEY: ${signingKey}`,
      ...(encryptionKey ? [`  ENCRYPTION_KEY: ${encryptionKey}`] : []),
      ...(natsPassword ? [`  NATS_USER: ${service}`, `  NATS_PASSWORD: ${natsPassword}`] : []),
      ...(service === 'gateway' ? [`  OPERATOR_TOKEN: ${secrets.operatorToken}`] : []),
    ];
  });
  const values = [
    '# Values of the chart that go with these Secrets; add MONGODB_URL, and SMTP_URL where mail is sent. What the users of NATS may do: files/nats-permissions.json.',
    'trustedKeys:',
    ...Object.entries(secrets.trustedKeys).map(([service, key]) => `  ${service}: ${key}`),
    'services:',
    ...Object.keys(secrets.signingKeys).map((service) => `  ${service}: { existingSecret: ${name}-${service}-keys }`),
  ];
  const comment = values.map((line) => (line.startsWith('#') ? line : `# ${line}`));
  return `${documents.map((lines) => lines.join('\n')).join('\n---\n')}\n${comment.join('\n')}\n`;
}
