import { createECDH, createHash, randomBytes } from 'node:crypto';
import { waitUntil } from '@parley/testkit/wait-until';
import { Secret, TOTP } from 'otpauth';
import { openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { PASSWORD } from '../identity/people.ts';
import { visit, type Visitor } from '../identity/visitor.ts';
import { readActivity } from '../stress/activity.ts';
import { operate, send, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';

/** Speech is recognised after it was said. */
const SETTLED_WITHIN_MS = 300_000;
const CUSTOMER = '+4520304050';
const OTHER_CUSTOMER = '+4520304051';
const REDIRECT_URI = 'https://app.example/callback';

/** A company that has used what every service stores something for. */
export async function useEveryService(local: LocalJson): Promise<void> {
  const phones = await openPhoneCompany(local);
  const { company } = phones;
  await succeeded(operate(local, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  await describePeople(phones, local);
  const ada = await phones.hire('Ada', true);
  const number = await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  await useNumber(phones, number);
  await useInbox(phones, number, ada.id);
  await useCredentials(phones, local);
  await call(phones, number, ada);
}

async function describePeople({ company }: PhoneCompany, local: LocalJson): Promise<void> {
  const { body } = await succeeded(
    company.call('POST', '/contacts', { phone: CUSTOMER, name: 'Ane', note: 'Calls back after four.' }),
  );
  await succeeded(company.call('PATCH', `/contacts/${body.id}`, { email: 'ane@example.com' }));
  const other = await succeeded(company.call('POST', '/contacts', { phone: '+4520304059', name: 'Bent' }));
  await succeeded(company.call('DELETE', `/contacts/${other.body.id}`));
  const system = { url: `${local.sandbox_url}/integrations/ecommerce`, secret: 'app:grant' };
  await succeeded(operate(local, 'PUT', `/companies/${company.id}/integrations/ecommerce`, system));
  await succeeded(company.call('PATCH', '/company', { city: 'Aarhus' }));
  await succeeded(company.call('POST', '/privacy/exports', { phone_number: CUSTOMER }));
}

async function useNumber(phones: PhoneCompany, number: string): Promise<void> {
  const { company } = phones;
  const path = `/business_numbers/${phones.numberId(number)}`;
  await succeeded(company.call('PATCH', path, { name: 'Front desk' }));
  await succeeded(company.call('POST', `${path}/closures`, { name: 'Fair', from: '2030-12-01', to: '2030-12-02' }));
  const greeting = 'Nobody could take your call. Please leave a message.';
  await succeeded(
    company.call('PUT', `${path}/no_answer_config`, { type: 'VoicemailConfig', greeting, timeout_secs: 30 }),
  );
}

async function useInbox(phones: PhoneCompany, number: string, employeeId: string): Promise<void> {
  const { company, sandbox } = phones;
  const { owner } = company;
  const path = `/employees/${owner.id}/notifications`;
  const { body: off } = await succeeded(company.call('GET', path));
  // Without push messages: they would be tried again and again, because the browser's push service does not exist.
  const byMail = { email: true, push: false };
  await succeeded(company.call('PUT', path, { ...off, text: byMail, assigned: byMail }));
  await succeeded(company.call('POST', '/push_subscriptions', browser()));
  await succeeded(company.call('POST', '/text_snippets', { title: 'Hours', text: 'We are open from eight to four.' }));
  for (const text of ['Are you open on Saturday?', 'And on Sunday?'])
    await sandbox('POST', '/messages', { from: CUSTOMER, to: number, text });
  const messages = `/business_numbers/${phones.numberId(number)}/messages`;
  const reply = { to: CUSTOMER, text: 'We are, until noon.', idempotency_key: randomBytes(9).toString('hex') };
  await succeeded(company.call('POST', messages, reply));
  await sandbox('POST', '/messages', { from: OTHER_CUSTOMER, to: number, text: 'STOP' });
  const thread = `/inbox/${encodeURIComponent(CUSTOMER)}`;
  await waitUntil(async () => (await readActivity(company, CUSTOMER, 20)).items.length === 3, {
    what: 'the texts in the inbox',
    timeoutMs: SETTLED_WITHIN_MS,
  });
  await succeeded(company.call('POST', `${thread}/comments`, { text: 'She comes on Saturday.' }));
  await succeeded(company.call('PATCH', thread, { assignee_id: employeeId, state: 'done' }));
}

/** A browser that wants push messages; its push service does not exist. */
function browser() {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const endpoint = 'https://push.example.com/push/browser';
  return { endpoint, keys: { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') } };
}

/** A session, an app that the owner allowed, a second factor, a webhook with two secrets, and an invitation. */
async function useCredentials({ company }: PhoneCompany, local: LocalJson): Promise<void> {
  const [webhook] = (await succeeded(company.call('GET', '/webhooks'))).body;
  await succeeded(company.call('POST', `/webhooks/${webhook.id}/rotate_secret`, {}));
  const person = visit(local.base_url);
  const signInPage = await person.open('/signin');
  await person.press(signInPage, 'Sign in', { Email: company.owner.email, Password: PASSWORD });
  await allowApp(person, local);
  const { secret } = (await person.account('POST', '/two_factor/enrolment')).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const enabled = await person.account('PUT', '/two_factor', { code });
  if (enabled.status !== 200) throw new Error(`the second factor was answered ${enabled.status}`);
}

async function allowApp(person: Visitor, local: LocalJson): Promise<void> {
  const metadata = { client_name: 'Calendar', redirect_uris: [REDIRECT_URI] };
  const app = await succeeded(send('POST', `${local.base_url}/oauth/register`, { body: metadata }));
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    response_type: 'code',
    client_id: app.body.client_id as string,
    redirect_uri: REDIRECT_URI,
    scope: 'api',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'state-1',
  };
  const consent = await person.open(`/oauth/authorize?${new URLSearchParams(query)}`);
  const back = new URL((await person.press(consent, 'Allow')).url);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: query.client_id,
    code: back.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  await succeeded(send('POST', `${local.base_url}/oauth/token`, { body: form.toString(), headers }));
}

/** A conversation with a note, a missed call and a voicemail; resolves once what was said is stored. */
async function call(phones: PhoneCompany, number: string, ada: Parameters<PhoneCompany['talk']>[1]): Promise<void> {
  const { company, sandbox } = phones;
  const talk = await phones.talk(number, ada);
  await sandbox('POST', `/legs/${talk.legId}/say`, { text: 'I would like to reserve a table for four people.' });
  await phones.over(talk);
  await succeeded(company.call('PATCH', `/calls/${talk.callId}`, { note: 'Wants the table by the window.' }));
  const missed = await phones.dial(number, OTHER_CUSTOMER);
  await phones.callOf(missed);
  await phones.hangUp(missed);
  const mailbox = await phones.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  const legId = await phones.dial(mailbox);
  const callId = await phones.callOf(legId);
  await phones.state(callId, 'recording');
  await sandbox('POST', `/legs/${legId}/say`, { text: 'Hello, my bicycle has a flat tyre. Please call me back.' });
  await phones.over({ legId, callId });
  await waitUntil(
    async () => {
      const { body } = await company.call('GET', '/voicemails');
      const report = await company.call('GET', '/reports/calls?group_by=employee');
      const isTranscribed = (await phones.call(talk.callId)).summary && body.voicemails?.[0]?.transcription;
      return isTranscribed && report.body.totals.answered === 1 && report.body.totals.voicemails === 1;
    },
    { what: 'transcripts and reports', timeoutMs: SETTLED_WITHIN_MS },
  );
}
