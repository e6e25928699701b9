import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BusinessNumberViewSchema } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { Assistants } from '../assistants/assistant-client.ts';
import type { FlowDetails, PromptAudioView } from '../call-flows/call-flow-proto.ts';
import type { CompanyRules, Directory } from '../directory/directory-client.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import type { PromptAudios } from '../prompt-audio/prompt-audio-store.ts';
import type { AudioSigner } from '../prompt-audio/signed-audio.ts';
import { type BusinessNumber, promptOf, promptsOf, targetsOf } from './business-number.ts';
import { numberToProto } from './business-number-proto.ts';

export interface ViewDeps {
  readonly directory: Directory;
  readonly assistants: Assistants;
  readonly audios: PromptAudios;
  readonly signer: AudioSigner;
}

/**
 * A number with its audio, the names of its assistants and the company's messaging flag, as they are now. Whoever changes a number reads
 * its company before, so that what cannot be answered is not stored either.
 */
export async function viewOf(
  deps: Omit<ViewDeps, 'directory'>,
  number: BusinessNumber,
  company: Pick<CompanyRules, 'messagingEnabled'>,
): Promise<MessageInitShape<typeof BusinessNumberViewSchema>> {
  return {
    number: numberToProto(number, await flowDetails(deps, number)),
    companyMessagingEnabled: company.messagingEnabled,
  };
}

/** What readers of a number's flows see beside their fields. */
export async function flowDetails(
  deps: Omit<ViewDeps, 'directory'>,
  number: BusinessNumber,
  prompts: readonly Prompt[] = promptsOf(number),
): Promise<FlowDetails> {
  const [audioOf, names] = await Promise.all([
    promptAudioViews(deps, number, prompts),
    deps.assistants.names(number.companyId, targetsOf(number).assistantIds),
  ]);
  return { audioOf, assistantName: (id) => names.get(id) ?? '' };
}

/** The audio of texts of a number; what has none yet is queued. */
export async function promptAudioViews(
  { audios, signer }: Pick<ViewDeps, 'audios' | 'signer'>,
  number: BusinessNumber,
  prompts: readonly Prompt[],
): Promise<(text: string) => PromptAudioView> {
  const ready = await audios.request(number.companyId, prompts);
  return (text) => {
    const contentHash = promptKey(promptOf(number, text));
    const audio = ready.get(contentHash);
    return {
      contentHash,
      ...(audio && { audioUrl: signer.promptUrl(audio.key), durationMs: audio.durationMs }),
    };
  };
}
