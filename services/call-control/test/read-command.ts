/**
 * Parses a command like FreeSWITCH, for tests: after `switch_separate_string`, `switch_ivr_originate` and
 * `switch_event_create_brackets` of its sources. It is as generous as they are: whatever could be a second argument, variable,
 * destination or command counts as one.
 */
export interface ReadOriginate {
  readonly variables: readonly (readonly [name: string, value: string])[];
  readonly destinations: readonly string[];
  readonly application: string;
}

/** The words of a command; several lines would be several commands. */
export function readWords(line: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f'"\\$]/.test(line)) throw new Error('a quote, an escape, a variable or another line');
  return line.split(' ');
}

export function readOriginate(line: string): ReadOriginate {
  const [command, dialString = '', application = '', ...more] = readWords(line);
  if (command !== 'originate' || more.length > 0)
    throw new Error('other arguments than a destination and what follows');
  if (/:_:|origination_nested_vars/.test(dialString)) throw new Error('several originates');
  const end = dialString.indexOf('}');
  if (!dialString.startsWith('{') || /[{}^<>[\]|]/.test(dialString.slice(1, end))) throw new Error('other variables');
  const variables = dialString
    .slice(1, end)
    .split(',')
    .map((variable) => variable.split('='))
    .map(([name = '', ...values]) => [name, values.join('=')] as const);
  const destinations = dialString.slice(end + 1).split(/[,|]/);
  if (destinations.some((destination) => /^[[{<(]|[{}<>()]/.test(destination))) throw new Error('variables of a leg');
  return { variables, destinations, application };
}

/** Characters and sequences that FreeSWITCH interprets in a command or a dial string. */
export const SWITCH_SYNTAX = [
  ...`; = , | :_: [x=1] { } < > " ' \\ $ \${system(id)} ^^ &park() ( )`.split(' '),
  ' ',
  '\n',
  '\r',
];

/** A real switch accepted, stored and reported these. */
export const HOSTILE_CONTACTS = [
  'sip:a,sofia/external/+1900@carrier.example',
  'sip:a|sofia/external/+1900@carrier.example',
  'sip:a@h:5060,sofia/internal/sip:b@victim',
  'sip:a${system(id)}@h:5060',
  'sip:a b@h:5060',
  "sip:a'b@h:5060",
  'sip:[a=1]b@h:5060',
  'sip:a@h{x=1}:5060',
  'sip:<a@h:5060',
  'sip:(null)@h:5060',
  'sip:+4512345678@(null)',
  'sip:a@h:5060:_:sofia/external/+1900@carrier.example',
  'sip:a@h:99999',
  'sip:a@h:5060;transport=tls',
  'sip:a@h:5060;transport=ws',
  'sip:a%2Csofia%2Fexternal@h:5060',
  'tel:+4512345678',
  '',
];
