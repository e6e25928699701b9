import { REAL_SWITCH_NAME } from './services.ts';
import type { Stack } from './stack.ts';

/** The addresses and how to sign in, for people; the last line begins with `ready`. */
export function summary(
  stack: Pick<Stack, 'baseUrl' | 'operatorUrl' | 'sandboxUrl' | 'dataDir' | 'demo' | 'realSwitch'>,
): string {
  const { baseUrl, operatorUrl, sandboxUrl, dataDir, demo, realSwitch } = stack;
  const simulated = realSwitch
    ? 'simulated texts, mail and clock; calls run on the switch'
    : `simulated telephone network; to use: ${baseUrl}/dashboard/sandbox`;
  const rows = [
    ['Dashboard', `${baseUrl}/dashboard`],
    ['Public API', `${baseUrl}/api/v1  (to read: ${baseUrl}/docs)`],
    ['Operator API', `${operatorUrl}/operator/v1  (its token is in ${dataDir}/local.json)`],
    ['Sandbox', `${sandboxUrl}  (${simulated})`],
    ...(realSwitch ? switchRows(realSwitch, dataDir) : []),
    ['Data and logs', dataDir],
  ];
  const demoRows = demo
    ? [
        ['Sign in as', demo.email],
        ['Password', demo.password],
        ['API key', demo.api_key],
        ['Try', `curl -H 'X-Api-Key: ${demo.api_key}' ${baseUrl}/api/v1/contacts`],
      ]
    : [];
  return [
    '',
    'Parley is running.',
    '',
    ...table(rows),
    ...(demo ? ['', 'The demo company:', '', ...table(demoRows)] : []),
    '',
    `ready: ${baseUrl} (Ctrl-C stops everything)`,
  ].join('\n');
}

/** The state of the switch, and what it has to be given, as `deploy/freeswitch` calls it. */
function switchRows({ at, httpUrl, problem }: NonNullable<Stack['realSwitch']>, dataDir: string): string[][] {
  return [
    ['Switch', problem === undefined ? `${at}  (connected)` : `${at}  NOT CONNECTED: ${problem}`],
    ['For the switch', `CALL_CONTROL_URL=${httpUrl} SWITCH_NAME=${REAL_SWITCH_NAME}`],
    ['', `SWITCH_SECRET: switchSecret in ${dataDir}/secrets.json  (docs/telephony.md)`],
  ];
}

function table(rows: string[][]): string[] {
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(14)} ${value}`);
}
