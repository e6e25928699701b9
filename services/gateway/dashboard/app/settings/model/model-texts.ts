import type { AssistantEndpoint, AssistantEndpointTest } from '../../api/schema.d.ts';
import { amount, number } from '../../i18n/format.ts';
import { t } from '../../i18n/translate.ts';
import type { Tone } from '../../ui/badge.tsx';

export function stateText(state: AssistantEndpoint['state']): readonly [Tone, string] {
  const texts: Readonly<Record<AssistantEndpoint['state'], readonly [Tone, string]>> = {
    ok: ['good', t('In use')],
    failing: ['bad', t('Fails')],
    limit_reached: ['warn', t('Limit reached')],
    not_set: ['neutral', t('Not set up')],
  };
  return texts[state];
}

/** What an assistant does meanwhile. */
export function consequenceText(state: AssistantEndpoint['state']): string | undefined {
  if (state === 'failing') return t('Until it works again, assistants say only what is written in Knowledge.');
  if (state === 'limit_reached')
    return t('Until the month ends, assistants say only what is written in Knowledge. Raise the limit to go on.');
  if (state === 'not_set')
    return t('Assistants work without one: they say what is written in Knowledge, and nothing leaves your system.');
  return undefined;
}

/** Why a request failed; a reason that is newer than this page is shown as the API names it. */
export function errorText(error: string): string {
  const texts: Readonly<Record<string, string>> = {
    unreachable: t('The address could not be reached.'),
    unauthorized: t('The key was not accepted.'),
    unknown_model: t('There is no model of this name at the address.'),
    timeout: t('It took too long to answer.'),
    no_tools: t('The model cannot use tools, which it needs to connect callers and take messages.'),
    invalid_answer: t('It answered something that is not as OpenAI’s chat completions.'),
    broken_stream: t('Its answer broke off.'),
    too_long: t('Its answer had no end.'),
    empty_answer: t('Its answer was empty.'),
    nonsense: t('Its answer made no sense.'),
    tool_errors: t('It used tools wrongly.'),
    too_many_requests: t('It asked for more and more instead of answering.'),
  };
  return texts[error] ?? error;
}

export function testText({ ok, first_token_ms: firstMs, streams, error }: AssistantEndpointTest): string {
  if (!ok) return errorText(error ?? 'invalid_answer');
  const works =
    firstMs === null ? t('It works.') : t('It works: first word after {count} ms.', { count: number(firstMs) });
  return streams ? works : `${works} ${t('It does not stream, so callers wait until its whole answer is there.')}`;
}

/** What was spent this month, and of how much. */
export function spendText({ spend, monthly_spend_limit: limit }: AssistantEndpoint): string {
  const tokens = t('{input} tokens in, {output} tokens out', {
    input: number(spend.input_tokens),
    output: number(spend.output_tokens),
  });
  if (spend.amount === null || spend.currency === null) return tokens;
  const spent = amount(spend.amount, spend.currency);
  const ofLimit = limit === null ? spent : t('{spent} of {limit}', { spent, limit: amount(limit, spend.currency) });
  return `${ofLimit} · ${tokens}`;
}
