import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, matching, someText, timestamp } from '../../expectations/shapes.ts';
import { audioAt } from '../../world/audio.ts';
import type { Company } from '../../world/company.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('voice-previews');
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const RESOURCES = { source: 'decisions.md: Resources', profile: 'full' } as const;
const ERRORS = { source: 'service-api.md: Bodies', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'full' } as const;

async function previewsOf(company: Company) {
  const { id } = await company.number();
  const path = `/business_numbers/${id}`;
  return { path, preview: (body?: object) => company.post(`${path}/voice_previews`, body) };
}

export const voicePreviewChecks: readonly Check[] = [
  must(1, 'A voice preview is answered with its address, its signed id and its end.', RESOURCES, async (context) => {
    const { preview } = await previewsOf(await context.companies.shared());
    const { expires_at: end } = await preview({ kind: 'welcome', text: 'Welcome to us.' }).gives(201, {
      audio_url: matching(/^https?:\/\//),
      signed_id: someText,
      expires_at: timestamp,
    });
    expectThat(Date.parse(end) > Date.now(), `the preview ended at ${end}, before it was made`);
  }),

  must(2, 'There are voice previews of all four kinds.', ROUTING, async ({ companies }) => {
    const { preview } = await previewsOf(await companies.shared());
    for (const kind of ['welcome', 'greeting', 'message', 'prompt'])
      await preview({ kind, text: 'We are closed.' }).gives(201, { audio_url: someText });
  }),

  must(3, 'A voice preview can be played.', ROUTING, async ({ companies, network }) => {
    const { preview } = await previewsOf(await companies.shared());
    const [short, long] = ['Hello.', 'Hello, and welcome to the longest greeting that we could think of this morning.'];
    const sounds: Uint8Array[] = [];
    for (const text of [short, long]) {
      const { audio_url: address } = await preview({ kind: 'greeting', text }).gives(201);
      sounds.push(await audioAt(network, address));
    }
    expectThat(
      sounds[1]!.length > sounds[0]!.length,
      `the audio of a long text has ${sounds[1]!.length} bytes, that of a short one ${sounds[0]!.length}`,
    );
  }),

  must(4, 'Any other kind of voice preview is refused with `invalid_kind`.', ROUTING, async ({ companies }) => {
    const { preview } = await previewsOf(await companies.shared());
    for (const kind of ['music', 'Welcome', '', null, 5, {}])
      await preview({ kind, text: 'Hello.' }).isRefused(422, { code: 'invalid_kind' });
  }),

  must(5, 'A voice preview of a blank text is refused with `blank_text`.', ROUTING, async ({ companies }) => {
    const { preview } = await previewsOf(await companies.shared());
    for (const text of ['', '   ', '\n\t'])
      await preview({ kind: 'prompt', text }).isRefused(422, { code: 'blank_text' });
  }),

  must(
    6,
    'A missing kind or text is refused with the same codes.',
    { ...ERRORS, source: 'decisions.md: Bodies and statuses' },
    async (context) => {
      const { preview } = await previewsOf(await context.companies.shared());
      await preview({ text: 'Hello.' }).isRefused(422, { code: 'invalid_kind' });
      await preview({ kind: 'welcome' }).isRefused(422, { code: 'blank_text' });
    },
  ),

  must(7, 'A voice preview changes nothing at the business number.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, preview } = await previewsOf(company);
    const flow = { type: 'RejectConfig', message: 'Closed.' };
    const set = await company.put(`${path}/incoming_call_config`, flow).gives(200);
    await preview({ kind: 'message', text: 'Open.' }).gives(201);
    const { incoming_call_config, business_hours } = await company.get(path).gives(200);
    expect(incoming_call_config, { type: 'RejectConfig', message: 'Closed.' }, 'the flow after the preview');
    expect(business_hours, set.business_hours.map(exactly), 'the hours after the preview');
  }),

  must(8, 'There are no voice previews of unknown and foreign business numbers.', STATUSES, async ({ companies }) => {
    const [company, another] = [await companies.shared(), await companies.another()];
    const { path } = await previewsOf(company);
    const body = { kind: 'welcome', text: 'Hello.' };
    await another.post(`${path}/voice_previews`, body).isNotFound();
    await company.post(`/business_numbers/num_${freshWord()}/voice_previews`, body).isNotFound();
  }),

  must(
    9,
    'Voice previews need a credential, and the role admin.',
    { ...STATUSES, source: 'people.md: Shapes' },
    async (context) => {
      const company = await context.companies.shared();
      const { path } = await previewsOf(company);
      const body = { kind: 'welcome', text: 'Hello.' };
      await company.withHeaders({}).post(`${path}/voice_previews`, body).isRefused(401);
      const member = await company.hire({ role: 'member' });
      await member.post(`${path}/voice_previews`, body).isRefused(403, { code: 'forbidden' });
    },
  ),
];
