import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { absent, integer, listOf, listWith, someText, timestamp } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { keptVoicemail, newVoicemail, VOICEMAIL } from './voicemail.ts';

const { must } = checksOf('voicemails');
const MODEL = { source: 'service-api.md: Voicemail', profile: 'full' } as const;
const ENDPOINTS = { source: 'service-api.md: Voicemails', profile: 'full' } as const;
const RULES = { source: 'service-api.md: Other state rules', profile: 'full' } as const;
const UNKNOWN = { source: 'service-api.md: Status codes', profile: 'full' } as const;

export const voicemailChecks: readonly Check[] = [
  must(1, 'The list of voicemails has whole ones and counts those that nobody listened to.', MODEL, async (context) => {
    const { company, voicemail, number } = await keptVoicemail(context);
    const entry = { ...VOICEMAIL, main_number: number.number, main_number_formatted: number.number_formatted };
    await company.get('/voicemails').gives(200, {
      unlistened_count: integer,
      voicemails: listWith({ ...entry, id: voicemail.id, main_number_id: number.id, main_number_name: number.name }),
    });
  }),

  must(2, 'A voicemail that is read has the names of fields that events have.', MODEL, async (context) => {
    const { company, voicemail, number } = await keptVoicemail(context);
    const names = {
      main_number_number: number.number,
      main_number_number_formatted: number.number_formatted,
      main_number: absent,
      main_number_formatted: absent,
    };
    const shape = { ...VOICEMAIL, ...names, id: voicemail.id, from: voicemail.from };
    await company.get(`/voicemails/${voicemail.id}`).gives(200, shape);
    await company.patch(`/voicemails/${voicemail.id}`, {}).gives(200, shape);
  }),

  must(3, 'The list of voicemails begins with the newest one.', ENDPOINTS, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const newer = await newVoicemail(context, company);
    const { voicemails } = await company.get('/voicemails').gives(200);
    const ids = voicemails.map(({ id }: { id: string }) => id);
    expect(ids[0], newer.id, 'the first voicemail of the list');
    expect(ids.indexOf(voicemail.id) > 0, true, 'whether the older one comes later');
    await company.delete(`/voicemails/${newer.id}`).givesNothing();
  }),

  must(4, 'A voicemail is marked as listened once, and as not listened again.', RULES, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const path = `/voicemails/${voicemail.id}`;
    await company.patch(path, { listened: false }).gives(200, { listened_at: null });
    const { listened_at: first } = await company.patch(path, { listened: true }).gives(200, { listened_at: timestamp });
    await company.patch(path, { listened: true }).gives(200, { listened_at: first });
    await company.get(path).gives(200, { listened_at: first });
    await company.patch(path, { listened: false }).gives(200, { listened_at: null });
    await company.get(path).gives(200, { listened_at: null });
  }),

  must(5, '`listened` may be 1 or 0, and may come as a form.', ENDPOINTS, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const path = `/voicemails/${voicemail.id}`;
    await company.patch(path, { listened: 1 }).gives(200, { listened_at: timestamp });
    await company.patch(path, { listened: 0 }).gives(200, { listened_at: null });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const [value, expected] of [
      ['1', timestamp],
      ['0', null],
      ['true', timestamp],
      ['false', null],
    ] as const)
      await company.send('PATCH', path, { body: `listened=${value}`, headers }).gives(200, { listened_at: expected });
  }),

  must(6, 'Another value of `listened` is refused.', ENDPOINTS, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const path = `/voicemails/${voicemail.id}`;
    await company.patch(path, { listened: false }).gives(200);
    for (const listened of ['maybe', 2, { a: 1 }, []])
      await company.patch(path, { listened }).isRefused(422, { field: 'listened' });
    await company.get(path).gives(200, { listened_at: null });
  }),

  must(7, 'Nothing else of a voicemail can be changed.', ENDPOINTS, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const path = `/voicemails/${voicemail.id}`;
    const { from, created_at: createdAt } = await company.get(path).gives(200);
    await company
      .patch(path, { from: '+4512345678', created_at: '2001-01-01T00:00:00.000Z', main_number_name: 'Mine' })
      .gives(200, { from, created_at: createdAt, main_number_name: voicemail.main_number_name });
    await company.get(path).gives(200, { from, created_at: createdAt, main_number_name: voicemail.main_number_name });
  }),

  must(8, 'The count of the list is of the voicemails that nobody listened to.', ENDPOINTS, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const path = `/voicemails/${voicemail.id}`;
    await company.patch(path, { listened: false }).gives(200);
    const { unlistened_count: before } = await company.get('/voicemails').gives(200);
    await company.patch(path, { listened: true }).gives(200);
    await company.get('/voicemails').gives(200, { unlistened_count: before - 1 });
    await company.patch(path, { listened: false }).gives(200);
    await company.get('/voicemails').gives(200, { unlistened_count: before });
  }),

  must(9, 'The recording of a voicemail can be played, and is gone with it.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const { id } = await newVoicemail(context, company);
    const { recording_url: url } = await eventually('the recording', () =>
      company.get(`/voicemails/${id}`).gives(200, { recording_url: someText }),
    );
    const { origin, pathname, search } = new URL(url);
    const play = () =>
      company.network.send({
        method: 'GET',
        base: origin,
        path: pathname + search,
        headers: { 'X-Api-Key': company.apiKey },
      });
    const { status, headers, bytes } = await play();
    expect([status, bytes.length > 1000], [200, true], 'status of the recording, and whether it is longer than 1 kB');
    expect(headers.get('content-type')?.startsWith('audio/'), true, 'whether the recording is audio');
    await company.delete(`/voicemails/${id}`).givesNothing();
    await company.get(`/voicemails/${id}`).isNotFound();
    await company.delete(`/voicemails/${id}`).isNotFound();
    const { voicemails } = await company.get('/voicemails').gives(200);
    expect(
      voicemails.some((one: { id: string }) => one.id === id),
      false,
      'whether a deleted voicemail is listed',
    );
    await eventually('the recording is gone', async () => {
      const { status: after } = await play();
      expect(after >= 400, true, 'whether the recording of a deleted voicemail is refused');
    });
  }),

  must(10, 'A voicemail is transcribed.', MODEL, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    await eventually(
      'the transcription',
      () => company.get(`/voicemails/${voicemail.id}`).gives(200, { transcription: someText }),
      { withinMs: 90_000 },
    );
  }),

  must(
    11,
    'The call of a voicemail ended without an answer.',
    { source: 'decisions.md: Calls and transfers', profile: 'full' },
    async (context) => {
      const { company, voicemail } = await keptVoicemail(context);
      await company.get(`/calls?phone_number=${encodeURIComponent(voicemail.from)}`).gives(200, {
        calls: [{ state: 'ended', answered_at: null, duration: null, employees: [] }],
      });
    },
  ),

  must(12, 'An unknown voicemail is answered with 404.', { ...UNKNOWN, profile: 'api' }, async ({ companies }) => {
    const company = await companies.shared();
    const path = `/voicemails/vm_${freshWord()}`;
    await company.get(path).isNotFound();
    await company.patch(path, { listened: true }).isNotFound();
    await company.delete(path).isNotFound();
  }),

  must(13, "Another company's voicemail can be neither read nor changed nor deleted.", UNKNOWN, async (context) => {
    const { company, voicemail } = await keptVoicemail(context);
    const another = await context.companies.another();
    const path = `/voicemails/${voicemail.id}`;
    await company.patch(path, { listened: false }).gives(200);
    await company.get(path).gives(200);
    await another.get(path).isNotFound();
    await another.patch(path, { listened: true }).isNotFound();
    await another.delete(path).isNotFound();
    await another.get('/voicemails').gives(200, { unlistened_count: 0, voicemails: listOf(absent) });
    await company.get(path).gives(200, { listened_at: null });
  }),

  must(
    14,
    'Voicemails need a credential.',
    { source: 'service-api.md: API keys', profile: 'api' },
    async ({ companies }) => {
      const nobody = (await companies.shared()).withHeaders({});
      await nobody.get('/voicemails').isRefused(401);
      const path = `/voicemails/vm_${freshWord()}`;
      await nobody.get(path).isRefused(401);
      await nobody.patch(path, { listened: true }).isRefused(401);
      await nobody.delete(path).isRefused(401);
    },
  ),
];
