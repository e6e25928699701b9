import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BusinessNumberViewSchema } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { PromptAudioView } from '../call-flows/call-flow-proto.ts';
import type { Directory } from '../directory/directory-client.ts';
import { type Prompt, promptKey } from '../prompt-audio/prompt.ts';
import type { PromptAudios } from '../prompt-audio/prompt-audio-store.ts';
import type { AudioSigner } from '../prompt-audio/signed-audio.ts';
import { type BusinessNumber, promptOf, promptsOf } from './business-number.ts';
import { numberToProto } from './business-number-proto.ts';

export interface ViewDeps {
  readonly directory: Directory;
  readonly audios: PromptAudios;
  readonly signer: AudioSigner;
}

/** A number with its audio and the company's messaging flag, both as they are now. */
export async function viewOf(
  { directory, ...deps }: ViewDeps,
  number: BusinessNumber,
): Promise<MessageInitShape<typeof BusinessNumberViewSchema>> {
  const [company, audioOf] = await Promise.all([directory.company(number.companyId), promptAudioViews(deps, number)]);
  return { number: numberToProto(number, audioOf), companyMessagingEnabled: company.messagingEnabled };
}

/** The audio of a number's texts, those of all slots or the given ones; what has none yet is queued. */
export async function promptAudioViews(
  { audios, signer }: Pick<ViewDeps, 'audios' | 'signer'>,
  number: BusinessNumber,
  prompts: readonly Prompt[] = promptsOf(number),
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
