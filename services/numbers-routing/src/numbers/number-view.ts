import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BusinessNumberViewSchema } from '@parley/proto/numbers_routing/v1/numbers_pb';
import type { PromptSound } from '../call-flows/call-flow-proto.ts';
import type { Directory } from '../directory/directory-client.ts';
import { promptKey } from '../prompt-audio/prompt.ts';
import type { PromptAudios } from '../prompt-audio/prompt-audio-store.ts';
import type { AudioSigner } from '../prompt-audio/signed-audio.ts';
import { type BusinessNumber, promptOf, promptsOf } from './business-number.ts';
import { numberToProto } from './business-number-proto.ts';

/** What it takes to show a number. */
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
  const [company, soundOf] = await Promise.all([directory.company(number.companyId), soundsOf(deps, number)]);
  return { number: numberToProto(number, soundOf), companyMessagingEnabled: company.messagingEnabled };
}

/** Where each of a number's texts can be heard; what cannot be heard yet is planned. */
export async function soundsOf(
  { audios, signer }: Pick<ViewDeps, 'audios' | 'signer'>,
  number: BusinessNumber,
): Promise<(text: string) => PromptSound | undefined> {
  const ready = await audios.want(promptsOf(number));
  return (text) => {
    const audio = ready.get(promptKey(promptOf(number, text)));
    return audio && { audioUrl: signer.promptUrl(audio.key), durationMs: audio.durationMs };
  };
}
