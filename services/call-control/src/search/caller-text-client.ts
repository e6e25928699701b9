import {
  CallerLookupService,
  type CallerContext,
  type ContextValue,
} from '@parley/proto/directory/v1/caller_context_pb';
import type { Channel } from '@parley/rpc';
import type { Logger } from '@parley/telemetry';

const DAY_SECS = 24 * 3600;

/** The caller context as one text for search. Empty for an unknown caller or without connected systems. */
export function callerTextClient(channel: Channel, log: Logger) {
  const lookup = channel.client(CallerLookupService);
  return async (companyId: string, phone: string): Promise<string> => {
    if (!phone.startsWith('+')) return '';
    try {
      const { context } = await lookup.lookUpCaller({ companyId, phone, ageMaxSecs: DAY_SECS });
      return callerTextOf(context);
    } catch (error) {
      log.debug({ err: error }, 'no caller context to search in');
      return '';
    }
  };
}

const TEXT_LENGTH_MAX = 4000;

/** The caller context of connected systems, as one text for search. */
export function callerTextOf(context: Pick<CallerContext, 'contexts'> | undefined): string {
  const texts = (context?.contexts ?? []).flatMap(({ contact, sections }) => [
    contact?.name,
    contact?.companyName,
    contact?.note,
    ...sections.flatMap(({ content }) =>
      content.case === 'fields'
        ? content.value.fields.flatMap(({ label, value }) => [label, valueText(value)])
        : content.case === 'table'
          ? content.value.rows.flatMap(({ values }) => Object.values(values).map(valueText))
          : [],
    ),
  ]);
  return texts
    .filter((text) => text)
    .join(' ')
    .slice(0, TEXT_LENGTH_MAX);
}

function valueText(value: ContextValue | undefined): string {
  if (value?.content.case === 'text') return value.content.value;
  return value?.content.case === 'money' ? `${value.content.value.amount} ${value.content.value.currency}` : '';
}
