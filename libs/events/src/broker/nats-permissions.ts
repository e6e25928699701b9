/** The NATS traffic of a service. */
interface ServiceTraffic {
  /** It publishes events to its own stream. */
  readonly publishes?: true;
  /** Its followers by name, and the services whose streams they read. */
  readonly followers?: Readonly<Record<string, readonly string[]>>;
  /** Types of events it subscribes to without a stream, as `<service>.<noun>.<fact>`: only while it listens. */
  readonly subscribes?: readonly string[];
  /** Signals between its own replicas, below `signals.`. */
  readonly signals?: readonly string[];
  /** Updates for live connections: `live.<company>`. */
  readonly live?: 'publish' | 'subscribe';
  /** It moves the test clock instead of following it. */
  readonly movesTestClock?: true;
}

/** Every NATS configuration that we ship or start is generated from this table. */
const traffic: Readonly<Record<string, ServiceTraffic>> = {
  gateway: {
    subscribes: [
      'identity.credential.revoked',
      'call-control.call.*',
      'call-control.employee_status.*',
      'directory.employee.*',
      'directory.contact.*',
    ],
    live: 'subscribe',
  },
  identity: {
    publishes: true,
    followers: {
      'identity-directory': ['directory'],
      'identity-call-alerts': ['call-control'],
      'identity-spend-alerts': ['assistant'],
    },
  },
  directory: { publishes: true, followers: { 'directory-employees': ['identity'] } },
  'numbers-routing': { publishes: true, subscribes: ['assistant.assistant.*'] },
  'call-control': {
    publishes: true,
    followers: {
      'call-control-employees': ['directory'],
      'call-control-caller-contexts': ['directory'],
      'call-control-credentials': ['identity'],
      'call-control-retention': ['directory'],
      'call-control-employee-status': ['call-control'],
    },
    subscribes: ['directory.company.*', 'directory.integration.*', 'numbers-routing.number.*'],
  },
  'messaging-inbox': {
    publishes: true,
    followers: {
      'messaging-inbox': ['call-control', 'messaging-inbox'],
      'messaging-inbox-assistants': ['assistant'],
      'messaging-inbox-contacts': ['directory'],
      'messaging-inbox-notifications': ['assistant', 'call-control', 'directory', 'messaging-inbox'],
      'messaging-inbox-credentials': ['identity'],
      'messaging-inbox-retention': ['directory'],
    },
    subscribes: [
      'directory.company.*',
      'directory.employee.*',
      'numbers-routing.number.*',
      'numbers-routing.registration.*',
    ],
    live: 'publish',
  },
  webhooks: {
    publishes: true,
    followers: {
      'webhooks-fanout': [
        'assistant',
        'call-control',
        'directory',
        'identity',
        'messaging-inbox',
        'numbers-routing',
        'webhooks',
      ],
      'webhooks-retention': ['directory'],
      'webhooks-companies': ['directory'],
    },
    signals: ['webhooks.>'],
    live: 'publish',
  },
  reports: {
    followers: {
      reports: ['call-control', 'messaging-inbox'],
      'reports-retention': ['directory'],
      'reports-audit': [
        'assistant',
        'call-control',
        'directory',
        'identity',
        'messaging-inbox',
        'numbers-routing',
        'webhooks',
      ],
    },
  },
  assistant: {
    publishes: true,
    followers: {
      'assistant-employees': ['directory'],
      'assistant-phrases': ['assistant'],
      'assistant-retention': ['directory'],
    },
    subscribes: [
      'assistant.assistant.*',
      'assistant.knowledge_entry.*',
      'directory.company.*',
      'directory.contact.*',
      'directory.employee.*',
      'numbers-routing.number.*',
    ],
    signals: ['assistant.>'],
    live: 'publish',
  },
  sandbox: { movesTestClock: true },
};

/** The services that have a user at NATS. */
export const natsServices: readonly string[] = Object.keys(traffic);

/** The permissions of a NATS user; everything else is refused, except responses to requests. */
export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The subjects of responses to a service's requests; no other service may read them. */
export const inboxPrefix = (service: string): string => `_INBOX.${service}`;

/** The subjects that a service needs. Throws for one that has no business on NATS. */
export function natsPermissions(
  service: string,
  { prefix = 'parley', testClock = false }: { prefix?: string; testClock?: boolean } = {},
): NatsPermissions {
  const own = traffic[service];
  if (!own) throw new Error(`${service} does not use NATS`);
  const subject = (name: string) => `${prefix}.${name}`;
  const followers = Object.keys(own.followers ?? {}).map((name) => subject(`signals.followers.${name}.>`));
  const read = [...new Set(Object.values(own.followers ?? {}).flat())];
  const signals = (own.signals ?? []).map((name) => subject(`signals.${name}`));
  const clock = own.movesTestClock
    ? { publishes: ['hello', 'set', 'report'], subscribes: ['join'] }
    : { publishes: ['join'], subscribes: ['hello', 'set', 'report'] };
  const clockSubjects = (names: readonly string[]) =>
    testClock ? names.map((name) => subject(`test-clock.${name}`)) : [];
  const publish = [
    ...(own.publishes ? [subject(`${service}.>`), ...ownStreamApi(`${prefix}-${service}`)] : []),
    ...read.flatMap((other) => [...readApi(`${prefix}-${other}`), subject(`signals.republish.${other}`)]),
    ...followers,
    ...signals,
    ...(own.live === 'publish' ? [subject('live.*')] : []),
    ...clockSubjects(clock.publishes),
  ];
  const subscribe = [
    `${inboxPrefix(service)}.>`,
    ...(own.publishes ? [subject(`signals.republish.${service}`)] : []),
    ...(own.subscribes ?? []).map((type) => subject(type.replace('.', '.*.'))),
    ...followers,
    ...signals,
    ...(own.live === 'subscribe' ? [subject('live.*')] : []),
    ...clockSubjects(clock.subscribes),
  ];
  return { publish: [...new Set(publish)], subscribe: [...new Set(subscribe)] };
}

/** A service reads its own stream to remove events from it. */
function ownStreamApi(stream: string): string[] {
  const verbs = ['CREATE', 'UPDATE', 'INFO', 'MSG.DELETE'];
  return [...verbs.map((verb) => `$JS.API.STREAM.${verb}.${stream}`), ...readApi(stream)];
}

/**
 * Unnamed consumers, whose names the server generates: other services cannot guess them to read or delete them.
 */
function readApi(stream: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}`,
    ...['INFO', 'DELETE', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
  ];
}
