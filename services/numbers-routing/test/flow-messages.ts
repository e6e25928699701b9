import type { MessageInitShape } from '@bufbuild/protobuf';
import { type CallFlowConfigSchema, MenuAction } from '@parley/proto/numbers_routing/v1/call_flows_pb';

type Flow = MessageInitShape<typeof CallFlowConfigSchema>;

/** Call flows as requests carry them. */
export const transferTo = (...employeeIds: string[]): Flow => ({
  config: { case: 'transfer', value: { employeeIds } },
});

export const voicemail = (text: string): Flow => ({ config: { case: 'voicemail', value: { greeting: { text } } } });

export const forwardTo = (phoneNumber: string, confirm = true): Flow => ({
  config: { case: 'forward', value: { phoneNumber, timeoutSecs: 30, confirm } },
});

export const reject = (text: string): Flow => ({ config: { case: 'reject', value: { message: { text } } } });

export const assistantWith = (assistantId: string, fallback: Flow): Flow => ({
  config: { case: 'assistant', value: { assistantId, fallback } },
});

/** A menu whose key 1 leads to an assistant. */
export const menuToAssistant = (assistantId: string, fallback: Flow): Flow => ({
  config: {
    case: 'phoneMenu',
    value: {
      welcome: { text: 'Press a key' },
      menuOptions: [{ digit: '1', action: MenuAction.ASSISTANT, assistant: { assistantId, fallback } }],
    },
  },
});

/** A menu with a key for each employee, from 1 on. */
export const menuTo = (...employeeIds: string[]): Flow => ({
  config: {
    case: 'phoneMenu',
    value: {
      welcome: { text: 'Press a key' },
      menuOptions: employeeIds.map((id, index) => ({
        digit: String(index + 1),
        action: MenuAction.TRANSFER,
        employeeIds: [id],
      })),
    },
  },
});

/** A menu with a key for each prompt, from 1 on. */
export const menuOfPrompts = (welcome: string, prompts: readonly string[]): Flow => ({
  config: {
    case: 'phoneMenu',
    value: {
      welcome: { text: welcome },
      menuOptions: prompts.map((text, index) => ({
        digit: String(index + 1),
        action: MenuAction.PLAY_MESSAGE,
        prompt: { text },
      })),
    },
  },
});
