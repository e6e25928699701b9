import type { Mutation } from './mutation.ts';
import { changeBody, changeField, changeSent, seenInstead, withoutField } from './ways.ts';

const LIST = { method: 'GET', path: '/api/v1/business_numbers' };
const GET = { method: 'GET', path: '/api/v1/business_numbers/:id' };
const UPDATE = { method: 'PATCH', path: '/api/v1/business_numbers/:id' };
const OF_AREA = { areas: ['business-numbers'], profile: 'full' } as const;
const NAME_CHARACTERS_MAX = 128;

export const businessNumberMutations: readonly Mutation[] = [
  {
    id: 'business-numbers-listed-as-business-numbers',
    sentence: 'The list of business numbers is under `business_numbers`.',
    areas: ['business-numbers'],
    profile: 'api',
    where: LIST,
    answer: changeBody(({ main_numbers: list }) => ({ business_numbers: list })),
  },
  {
    id: 'business-numbers-listed-with-more',
    sentence: 'The business numbers of the list also have `messaging`.',
    ...OF_AREA,
    where: LIST,
    answer: changeBody(({ main_numbers: list }) => ({
      main_numbers: list.map((one: object) => ({ ...one, messaging: { sms: { can_send: true, can_receive: true } } })),
    })),
  },
  {
    id: 'business-numbers-without-registration',
    sentence: 'A business number has no `registration_status`.',
    ...OF_AREA,
    where: GET,
    answer: withoutField('registration_status'),
  },
  {
    id: 'business-numbers-long-name-cut',
    sentence: 'A name that is too long is cut instead of refused.',
    ...OF_AREA,
    where: UPDATE,
    request: changeSent('name', (name) => (typeof name === 'string' ? name.slice(0, NAME_CHARACTERS_MAX) : name)),
  },
  {
    id: 'business-numbers-accents-dropped',
    sentence: 'Characters that a name may not have are left out instead of refused.',
    ...OF_AREA,
    where: UPDATE,
    request: changeSent('name', (name) => (typeof name === 'string' ? name.replaceAll(/[^\w\-~!.+ ]/g, '') : name)),
  },
  {
    id: 'business-numbers-sending-without-flag',
    sentence: 'A number says that it can send although the company may not text.',
    ...OF_AREA,
    where: GET,
    answer: changeField('can_send', (value, { can_receive }) => value || can_receive),
  },
  {
    id: 'business-numbers-foreign-shown',
    sentence: "Another company's business number is shown.",
    ...OF_AREA,
    where: GET,
    answer: seenInstead(404, 200, ({ request }) => `GET ${request.path}`),
  },
];
