import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/embedded';
import { dashboards, findProgram, startPrometheus } from '@parley/observability';
import { waitUntil } from '@parley/testkit/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { parse } from 'yaml';
import { openAssistantCompany } from '../assistants/assistant-company.ts';
import { openPhoneCompany } from '../calls/phone-company.ts';
import { newIdempotencyKey, startTexting } from '../messages/texting.ts';
import { sandbox, succeeded } from '../support/api.ts';
import type { LocalJson, LocalStack } from '../support/local-stack.ts';

/** On a busy machine; what fails until then is tried again. */
const WITHIN_MS = 180_000;
const INTERVAL_SECS = 5;
const MODEL = 'dashboards';
const RULES = path.resolve(import.meta.dirname, '../../helm/parley/files/rules');

interface Panel {
  readonly title?: string;
  readonly targets?: readonly { readonly expr?: string }[];
  readonly panels?: readonly Panel[];
}

const program = findProgram('prometheus');
if (!program)
  process.stderr.write('left out: queries of the dashboards in a Prometheus: there is no prometheus on PATH\n');
const describeWithPrometheus = program ? describe : describe.skip;

/** Every query of the dashboards, and every metric of the alerts, has to find something in a stack where everything was used. */
export function testDashboards(stack: LocalStack): void {
  describeWithPrometheus('in Prometheus', () => {
    let dataDir = '';
    let prometheus: Awaited<ReturnType<typeof startPrometheus>>;

    beforeAll(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'parley-prometheus-'));
      const services = stack.local.metrics ?? {};
      const port = await freePort();
      prometheus = await startPrometheus({ file: program!, dataDir, port, services, intervalSecs: INTERVAL_SECS });
      // Twice, with a scrape in between: what happens first makes the series, and what happens then is a rate.
      for (const round of ['first', 'second'])
        await waitUntil(() => useEverything(stack), { what: `the ${round} round`, timeoutMs: WITHIN_MS });
    }, 400_000);
    afterAll(async () => {
      await prometheus?.stop();
      await rm(dataDir, { recursive: true, force: true });
    });

    it.each(dashboards.map((one) => [one.title ?? '', one] as const))(
      'in Prometheus every query of the dashboard “%s” finds something',
      async (_, dashboard) => {
        const queries = queriesOf((dashboard.panels ?? []) as readonly Panel[]);
        expect(queries.length).toBeGreaterThan(0);
        expect(await withoutResult(queries)).toEqual([]);
      },
    );

    it('in Prometheus every metric of the alerts exists', async () => {
      const names = await metricsOfAlerts();
      expect(names.length).toBeGreaterThan(15);
      expect(await withoutResult(names)).toEqual([]);
    });

    it('in Prometheus every rule is evaluated without an error', async () => {
      const { groups } = await ask('/api/v1/rules');
      const rules = groups.flatMap(({ rules: own }: { rules: { health: string; name: string }[] }) => own);
      expect(rules.length).toBeGreaterThan(80);
      expect(rules.filter(({ health }: { health: string }) => health !== 'ok' && health !== 'unknown')).toEqual([]);
    });

    async function ask(pathAndQuery: string): Promise<any> {
      const response = await fetch(`${prometheus.url}${pathAndQuery}`);
      const body: any = await response.json();
      if (body.status !== 'success') throw new Error(`${pathAndQuery}: ${body.error}`);
      return body.data;
    }

    async function finds(query: string): Promise<boolean> {
      const { result } = await ask(`/api/v1/query?query=${encodeURIComponent(query)}`);
      return result.some(({ value: [, value] }: { value: [number, string] }) => value !== 'NaN');
    }

    /** The queries that have found nothing in time. */
    async function withoutResult(queries: readonly string[]): Promise<string[]> {
      let left = [...queries];
      const tryAll = async () => {
        const found = await Promise.all(left.map(finds));
        left = left.filter((_, index) => !found[index]);
        // A rate needs something that happened within its window, which has passed by on a busy machine.
        if (left.length > 0) await useEverything(stack).catch(() => undefined);
        return left.length === 0;
      };
      await waitUntil(tryAll, { what: 'results', timeoutMs: WITHIN_MS }).catch(() => undefined);
      return left;
    }
  });
}

function queriesOf(panels: readonly Panel[]): string[] {
  const own = panels.flatMap(({ targets = [] }) => targets.map(({ expr = '' }) => expr));
  const inside = panels.flatMap((panel) => queriesOf(panel.panels ?? []));
  // What Grafana replaces it by depends on the zoom.
  return [...own, ...inside].map((expr) => expr.replaceAll('$__rate_interval', '5m'));
}

async function metricsOfAlerts(): Promise<string[]> {
  const { groups } = parse(await readFile(path.join(RULES, 'alerts.yaml'), 'utf8'));
  const expressions = groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr));
  return [...new Set(expressions.flatMap((expr: string) => expr.match(/parley_\w+/g) ?? []))] as string[];
}

/** Calls to an employee and to an assistant, texts both ways, a contact with a webhook, and a live connection that is told of it. */
async function useEverything(stack: LocalStack): Promise<true> {
  const { local } = stack;
  const texting = await startTexting(local);
  const socket = await openLive(local.base_url, texting.company.apiKey);
  const url = `${local.sandbox_url}/hooks/dashboards`;
  const hook = { name: 'Dashboards', url, events: ['contact.created'] };
  await succeeded(texting.company.call('POST', '/webhooks', hook));
  await succeeded(texting.company.call('POST', '/contacts', { phone: texting.customer(), name: 'Ane' }));
  await texting.receive({ from: texting.customer(), text: 'Hello' });
  const sent = { to: texting.customer(), text: 'Hello', idempotency_key: newIdempotencyKey() };
  await succeeded(texting.send(sent));
  const phones = await openPhoneCompany(local);
  const ada = await phones.hire('Ada', true);
  const number = await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { awaitsPrompts: false });
  const { legId } = await phones.talk(number, ada);
  await phones.hangUp(legId);
  await speakWithAssistant(local);
  socket.close();
  return true;
}

/** A conversation in which a language model answers, with a question and its answer in real time. */
async function speakWithAssistant(local: LocalJson): Promise<void> {
  const talk = await openAssistantCompany({}, local);
  const turns = [{ reply: 'Yes, behind the house. Is there anything else?' }];
  await succeeded(sandbox(local, 'PUT', `/llm/scripts/${MODEL}`, { turns }));
  const endpoint = { url: `${local.sandbox_url}/llm/v1`, model: MODEL, api_key: 'key' };
  await succeeded(talk.company.call('PUT', '/assistant_endpoint', endpoint));
  const number = await talk.number(talk.config, { awaitsPrompts: false });
  await talk.converse(async () => {
    const call = await talk.callAssistant(number);
    await talk.ask(call, 'Can I park in front of the shop?');
    await talk.over(call);
  });
}

/** Resolves when it is subscribed. */
async function openLive(baseUrl: string, apiKey: string): Promise<WebSocket> {
  const headers = { 'X-Api-Key': apiKey };
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], { headers });
  const identifier = JSON.stringify({ channel: 'TeamChannel' });
  const confirmed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { type: string };
      if (type === 'welcome') socket.send(JSON.stringify({ command: 'subscribe', identifier }));
      if (type === 'confirm_subscription') resolve();
    });
  });
  await confirmed;
  return socket;
}
