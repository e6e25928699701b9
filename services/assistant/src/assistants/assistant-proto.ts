import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AssistantEngine,
  type AssistantFields,
  type AssistantSchema,
  type TransferTarget as ProtoTransferTarget,
} from '@parley/proto/assistant/v1/assistants_pb';
import type { Assistant, AssistantChange } from './assistant.ts';
import type { TransferTarget, WrittenTarget } from './transfer-target.ts';

export function assistantToProto(assistant: Assistant): MessageInitShape<typeof AssistantSchema> {
  const { voice, engine, transferTargets, createdAt, updatedAt } = assistant;
  return {
    id: assistant.id,
    name: assistant.name,
    language: assistant.language,
    disclosure: assistant.disclosure,
    greeting: assistant.greeting,
    instructions: assistant.instructions,
    ...(voice !== null && { voice }),
    engine: engine === 'auto' ? AssistantEngine.AUTO : AssistantEngine.EMBEDDED,
    actions: assistant.actions,
    transferTargets: transferTargets.map(targetToProto),
    reachEmployeesByName: assistant.reachEmployeesByName,
    recogniseCallers: assistant.recogniseCallers,
    keepTranscript: assistant.keepTranscript,
    maxDurationSecs: assistant.maxDurationSecs,
    silenceSecs: assistant.silenceSecs,
    active: assistant.active,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** Absent fields stay absent. */
export function changeFromProto(fields: AssistantFields | undefined): AssistantChange {
  if (!fields) return {};
  const { $typeName: _type, $unknown: _unknown, voice, engine, actions, transferTargets, ...others } = fields;
  return {
    ...others,
    ...(voice !== undefined && { voice: voice === '' ? null : voice }),
    ...(engine !== undefined && { engine: engine === AssistantEngine.EMBEDDED ? 'embedded' : 'auto' }),
    ...(actions && { actions: actionsFromProto(actions) }),
    ...(transferTargets && { transferTargets: transferTargets.targets.map(targetFromProto) }),
  };
}

function actionsFromProto({
  transfer,
  takeMessage,
  requestCallback,
  sendText,
}: NonNullable<AssistantFields['actions']>): NonNullable<AssistantChange['actions']> {
  return {
    ...(transfer !== undefined && { transfer }),
    ...(takeMessage !== undefined && { takeMessage }),
    ...(requestCallback !== undefined && { requestCallback }),
    ...(sendText !== undefined && { sendText }),
  };
}

function targetToProto({ id, name, aliases, employeeIds, phoneNumber }: TransferTarget) {
  return {
    id,
    name,
    aliases: [...aliases],
    employeeIds: [...employeeIds],
    ...(phoneNumber !== null && { phoneNumber }),
  };
}

function targetFromProto({ name, aliases, employeeIds, phoneNumber }: ProtoTransferTarget): WrittenTarget {
  return { name, aliases, employeeIds, phoneNumber: phoneNumber ?? null };
}
