import type { BusinessNumber, CallFlowConfig } from '../api/schema.d.ts';

export type AnsweredNumber = Pick<BusinessNumber, 'id' | 'name'>;

/** The numbers whose routing names an assistant, by the assistant's id. */
export function numbersByAssistant(
  numbers: readonly (AnsweredNumber &
    Pick<BusinessNumber, 'incoming_call_config' | 'outside_business_hours_config' | 'no_answer_config'>)[],
): ReadonlyMap<string, readonly AnsweredNumber[]> {
  const found = new Map<string, AnsweredNumber[]>();
  for (const number of numbers) {
    const { id, name } = number;
    const flows = [number.incoming_call_config, number.outside_business_hours_config, number.no_answer_config];
    for (const assistantId of new Set(flows.flatMap(assistantsIn)))
      found.set(assistantId, [...(found.get(assistantId) ?? []), { id, name }]);
  }
  return found;
}

function assistantsIn(flow: CallFlowConfig | null): readonly string[] {
  if (flow?.type === 'AssistantConfig') return [flow.assistant_id];
  if (flow?.type !== 'PhoneMenuConfig') return [];
  return flow.menu_options.flatMap(({ assistant_id: id }) => (id === undefined ? [] : [id]));
}
