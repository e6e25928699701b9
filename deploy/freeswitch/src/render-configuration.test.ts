import { describe, expect, it } from '@jest/globals';
import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { renderConfiguration } from './render-configuration.ts';
import { readSwitchSettings } from './switch-settings.ts';

const required = {
  CALL_CONTROL_URL: 'http://10.0.0.4:8083',
  SWITCH_SECRET: 'secret-of-the-switch',
  EVENT_SOCKET_PASSWORD: 'password-of-call-control',
};
const everything = {
  ...required,
  SWITCH_NAME: 'switch-1',
  SWITCH_IP: '10.0.0.5',
  EXTERNAL_IP: '192.0.2.7',
  SIP_DOMAIN: 'phones.example.com',
  WEBSOCKET_PORT: '5066',
  EVENT_SOCKET_IP: '10.0.0.5',
  CALL_CONTROL_NETWORKS: '10.0.0.0/24',
  CARRIER_NETWORKS: '203.0.113.0/24, 198.51.100.9',
  CANDIDATE_NETWORKS: '10.0.0.0/8',
  RTP_PORTS: '20000-29999',
  GATEWAYS: JSON.stringify([{ name: 'acme', proxy: 'sip.acme.example', username: 'u', password: 'p', register: true }]),
};

const USED_MODULES = [
  'mod_logfile',
  'mod_console',
  'mod_event_socket',
  'mod_xml_curl',
  'mod_commands',
  'mod_dptools',
  'mod_dialplan_xml',
  'mod_opus',
  'mod_sndfile',
  'mod_native_file',
  'mod_tone_stream',
  'mod_local_stream',
  'mod_http_cache',
  'mod_conference',
  'mod_loopback',
  'mod_sofia',
];
/** Commands that run programs, scripts or other commands, load code, or change the configuration. */
const DANGEROUS =
  /^(all|any|bg_?system|spawn|system|lua|luarun|js|jsrun|python|perl|managed|load|unload|reload.*|fsctl|expand|eval|xml_.*|module_exists|bgapi|sched_api|unsched_api|global_setvar|http_get|http_remove_cache|http_clear_cache|curl|domain_.*|console.*|db|hash|limit.*|user_.*)$/;

/** Every file as a strict reader of XML sees it. */
function rendered(env: Record<string, string>): Map<string, Document> {
  const parser = new DOMParser({
    onError: (_level, message) => {
      throw new Error(message);
    },
  });
  const files = [...renderConfiguration(readSwitchSettings(env))].filter(([name]) => name.endsWith('.xml'));
  return new Map(files.map(([name, content]) => [name, parser.parseFromString(content, 'text/xml')]));
}

const elements = (at: Document | Element | undefined, name: string) => [...(at?.getElementsByTagName(name) ?? [])];
const params = (at: Document | Element | undefined) =>
  Object.fromEntries(
    elements(at, 'param').map((param) => [param.getAttribute('name') ?? '', param.getAttribute('value') ?? '']),
  );
const profile = (files: Map<string, Document>, name: string) =>
  elements(files.get('configuration/sofia.conf.xml'), 'profile').find((one) => one.getAttribute('name') === name);

it.each([
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['error', 'err'],
])('the level %s of the log is %s', (written, level) => {
  expect(readSwitchSettings({ ...required, LOG_LEVEL: written }).logLevel).toBe(level);
  expect(() => readSwitchSettings({ ...required, LOG_LEVEL: 'loud' })).toThrow(/^LOG_LEVEL must be crit, err, warning/);
});

describe.each([
  ['with what is required', required],
  ['with everything', everything],
])('the configuration %s', (_title, env) => {
  const files = rendered(env);
  const configuration = (name: string) => files.get(`configuration/${name}.conf.xml`);

  it('the configuration lets nobody run programs of the machine, and loads nothing that could', () => {
    const set = elements(files.get('freeswitch.xml'), 'X-PRE-PROCESS')
      .filter((one) => one.getAttribute('cmd') === 'set')
      .map((one) => one.getAttribute('data'));
    expect(set).toEqual(['disable_system_api_commands=true', 'disable_system_app_commands=true']);
    expect(elements(configuration('modules'), 'load').map((one) => one.getAttribute('module'))).toEqual(USED_MODULES);
    const commands = params(files.get('directory.xml'))['esl-allowed-api']?.split(' ') ?? [];
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => DANGEROUS.test(command))).toEqual([]);
  });

  it('the configuration is XML in every file, and each configuration is named after its file', () => {
    for (const [name, document] of files) {
      expect(document.documentElement?.tagName).toBe(name === 'freeswitch.xml' ? 'document' : 'include');
      const named = /configuration\/(.*)\.xml$/.exec(name)?.[1];
      if (named) expect(elements(document, 'configuration').map((one) => one.getAttribute('name'))).toEqual([named]);
    }
  });

  it('the configuration has includes and variables on separate lines', () => {
    const text = renderConfiguration(readSwitchSettings(env)).get('freeswitch.xml') ?? '';
    const includes = text.split('\n').filter((line) => line.includes('X-PRE-PROCESS'));
    expect(includes).toHaveLength(5);
    for (const line of includes) expect(line).toMatch(/^ *<X-PRE-PROCESS [^<>]*\/>$/);
  });

  it('the configuration loads the modules that are needed, SIP last', () => {
    const modules = elements(configuration('modules'), 'load').map((load) => load.getAttribute('module'));
    const needed =
      'logfile event_socket xml_curl commands dptools dialplan_xml opus sndfile native_file tone_stream local_stream http_cache conference loopback sofia';
    expect(modules.filter((name) => name !== 'mod_console')).toEqual(needed.split(' ').map((name) => `mod_${name}`));
  });

  it('the configuration parks every call behind a hang-up that makes it busy', () => {
    const contexts = elements(files.get('dialplan.xml'), 'context');
    expect(contexts.map((context) => context.getAttribute('name'))).toEqual(['phones', 'switches', 'carriers']);
    for (const context of contexts) {
      const [condition] = elements(context, 'condition').filter((one) => one.getAttribute('expression') === '^(.*)$');
      expect(condition?.getAttribute('field')).toBe('destination_number');
      expect(
        elements(condition, 'action').map(
          (one) => `${one.getAttribute('application')} ${one.getAttribute('data') ?? ''}`,
        ),
      ).toEqual(['sched_hangup +15 USER_BUSY', 'park ']);
    }
  });

  it('the configuration lets phones in with credentials only, which call-control checks', () => {
    expect(params(profile(files, 'internal'))).toMatchObject({
      context: 'phones',
      dialplan: 'XML',
      'auth-calls': 'true',
      'accept-blind-reg': 'false',
      'accept-blind-auth': 'false',
      'inbound-reg-force-matching-username': 'true',
      'multiple-registrations': 'call-id',
      'sip-expires-late-margin': '5',
      'registration-thread-frequency': '5',
      'inbound-codec-prefs': 'OPUS,PCMU,PCMA',
      'outbound-codec-prefs': 'OPUS,PCMU,PCMA',
      'apply-candidate-acl': 'candidates',
      'nonce-ttl': '60',
      'log-auth-failures': 'true',
      'manage-presence': 'false',
      'rtp-timer-name': 'soft',
    });
    const domain = 'SIP_DOMAIN' in env ? env.SIP_DOMAIN : 'parley.invalid';
    for (const name of ['challenge-realm', 'force-register-domain', 'force-register-db-domain'])
      expect(params(profile(files, 'internal'))[name]).toBe(domain);
  });

  it('the configuration does not name the software to those who ask', () => {
    for (const name of ['internal', 'external'])
      expect(params(profile(files, name))['user-agent-string']).toBe('_undef_');
  });

  it('the configuration accepts carriers by their address, on a separate profile', () => {
    const [phones, carriers] = [params(profile(files, 'internal')), params(profile(files, 'external'))];
    expect(carriers).toMatchObject({
      context: 'carriers',
      'auth-calls': 'false',
      'apply-inbound-acl': 'carriers',
      'inbound-codec-prefs': 'PCMU,PCMA',
      'outbound-codec-prefs': 'PCMU,PCMA',
    });
    expect(carriers['sip-port']).not.toBe(phones['sip-port']);
    const lists = elements(configuration('acl'), 'list');
    const list = lists.find((one) => one.getAttribute('name') === 'carriers');
    expect(list?.getAttribute('default')).toBe('deny');
  });

  it('the configuration requests phones and prompts from call-control, with its secret and short limits', () => {
    const name = 'SWITCH_NAME' in env ? env.SWITCH_NAME : 'freeswitch';
    const [binding] = elements(configuration('xml_curl'), 'param');
    expect(binding?.getAttribute('bindings')).toBe('directory');
    expect(params(configuration('xml_curl'))).toMatchObject({
      'gateway-url': 'http://10.0.0.4:8083/switch/directory',
      'gateway-credentials': `${name}:secret-of-the-switch`,
      timeout: '2',
    });
    const cache = configuration('http_cache');
    expect(params(cache)).toMatchObject({ 'connect-timeout': '2', 'download-timeout': '4' });
    expect(elements(cache, 'domain').map((one) => one.getAttribute('name'))).toEqual(['10.0.0.4:8083']);
    expect(elements(cache, 'header').map((one) => [one.getAttribute('name'), one.textContent])).toEqual([
      ['Authorization', `Basic ${Buffer.from(`${name}:secret-of-the-switch`).toString('base64')}`],
    ]);
  });

  it('the configuration has one user of the event socket, with lists of what it may do', () => {
    const directory = files.get('directory.xml');
    expect(elements(directory, 'user')).toHaveLength(1);
    const listed = params(directory);
    expect(listed).toMatchObject({ 'esl-password': 'password-of-call-control', 'esl-allowed-log': 'false' });
    expect(listed['esl-allowed-api']?.split(' ')).not.toEqual(expect.arrayContaining(['system']));
    expect(listed['esl-allowed-events']).toContain('CHANNEL_PARK');
    const socket = params(configuration('event_socket'));
    expect(socket['password']).toMatch(/^[\w-]{32}$/);
    expect(socket['apply-inbound-acl']).toBe('call-control');
  });

  it('the configuration has the limits, the music and the conference that calls need', () => {
    expect(params(configuration('switch'))).toMatchObject({
      'event-heartbeat-interval': '20',
      'sessions-per-second': '100',
    });
    expect(elements(configuration('local_stream'), 'directory').map((one) => one.getAttribute('name'))).toEqual([
      'moh',
    ]);
    expect(elements(configuration('conference'), 'profile').map((one) => one.getAttribute('name'))).toEqual(['parley']);
  });
});

describe('settings of a switch', () => {
  it('settings of a switch behind NAT name both addresses', () => {
    expect(params(profile(rendered(everything), 'internal'))).toMatchObject({
      'rtp-ip': '10.0.0.5',
      'sip-ip': '10.0.0.5',
      'ext-rtp-ip': '192.0.2.7',
      'ext-sip-ip': '192.0.2.7',
      'ws-binding': '10.0.0.5:5066',
      'wss-binding': '10.0.0.5:7443',
    });
    expect(params(profile(rendered(required), 'external'))).not.toHaveProperty('ext-sip-ip');
  });

  it('settings of a switch list networks, private ones of browsers first', () => {
    const lists = elements(rendered(everything).get('configuration/acl.conf.xml'), 'list');
    const nodes = lists.map((list) => elements(list, 'node').map((node) => node.getAttribute('cidr')));
    expect(nodes[0]).toEqual(['203.0.113.0/24', '198.51.100.9/32']);
    expect(nodes[1]).toEqual(['10.0.0.0/24']);
    expect(nodes[2]?.[0]).toBe('10.0.0.0/8');
  });

  it('settings of a switch have carriers that require a password', () => {
    const gateway = elements(rendered(everything).get('configuration/sofia.conf.xml'), 'gateway')[0];
    expect(gateway?.getAttribute('name')).toBe('acme');
    expect(params(gateway)).toMatchObject({
      proxy: 'sip.acme.example',
      username: 'u',
      password: 'p',
      register: 'true',
    });
  });

  it.each([
    ['SWITCH_SECRET', 'short'],
    ['SWITCH_SECRET', 'has "quotes" and $${a}'],
    ['CALL_CONTROL_URL', 'http://host:1/path'],
    ['CARRIER_NETWORKS', 'everybody'],
    ['RTP_PORTS', '20000'],
    ['PHONES_PORT', '70000'],
    ['SWITCH_IP', '$${base_dir}'],
    ['GATEWAYS', '[{"name": "a b"}]'],
    ['LOG_LEVEL', 'loud'],
  ])('settings of a switch with %s=%s are refused in one clear line', (name, value) => {
    expect(() => readSwitchSettings({ ...required, [name]: value })).toThrow(`${name} must be`);
  });
});

it('a switch takes calls of other switches only where it has a port for them, and from their networks only', () => {
  expect(profile(rendered(everything), 'switches')).toBeUndefined();
  const files = rendered({ ...everything, SWITCHES_PORT: '5082', SWITCH_NETWORKS: '10.0.0.5, 10.0.0.6' });
  expect(params(profile(files, 'switches'))).toMatchObject({
    'sip-ip': '10.0.0.5',
    'sip-port': '5082',
    context: 'switches',
    'auth-calls': 'false',
    'apply-inbound-acl': 'switches',
    'disable-register': 'true',
    'disable-transfer': 'true',
  });
  const [list] = elements(files.get('configuration/acl.conf.xml'), 'list').filter(
    (one) => one.getAttribute('name') === 'switches',
  );
  expect(list?.getAttribute('default')).toBe('deny');
  expect(elements(list, 'node').map((one) => one.getAttribute('cidr'))).toEqual(['10.0.0.5/32', '10.0.0.6/32']);
});
