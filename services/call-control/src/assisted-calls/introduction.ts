import type { Encryptor } from '@parley/secrets';
import type { Call } from '../calls/model/call.ts';

/** Who calls and what about, for the employee whom an assistant rings: in the caller's words, so that it is stored encrypted. */
interface Introduction {
  /** Null when it is not known. */
  readonly callerName: string | null;
  /** Null when it is not known. */
  readonly matter: string | null;
}

export const introductionContext = (callId: string) => `call/${callId}/introduction`;

export type Introductions = ReturnType<typeof introductionStorage>;

const NAME_CHARS_MAX = 64;
const MATTER_CHARS_MAX = 500;

export function introductionStorage({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  return {
    /** What is longer is cut. */
    seal(callId: string, { callerName, matter }: { readonly callerName: string; readonly matter: string }): string {
      const introduction: Introduction = {
        callerName: cut(callerName, NAME_CHARS_MAX),
        matter: cut(matter, MATTER_CHARS_MAX),
      };
      return encrypt(JSON.stringify(introduction), introductionContext(callId));
    },
    open: (callId: string, sealed: string): Introduction =>
      JSON.parse(decrypt(sealed, introductionContext(callId))) as Introduction,
  };
}

function cut(text: string, charsMax: number): string | null {
  return [...text.trim()].slice(0, charsMax).join('') || null;
}

/** The assistant that rings the employee in this call, or has connected the two, with what it understood. */
export function introductionFor(
  { phase, transfers }: Pick<Call, 'phase' | 'transfers'>,
  employeeId: string,
): { readonly assistantName: string; readonly sealed: string } | undefined {
  const isRung =
    phase.kind === 'assisted' &&
    phase.stage.kind === 'transferring' &&
    phase.stage.offers.some(({ employee }) => employee.id === employeeId);
  const transfer = transfers.findLast(({ fromAssistant }) => fromAssistant);
  if (!transfer?.fromAssistant || transfer.sealedIntroduction === undefined) return undefined;
  if (!isRung && transfer.to?.id !== employeeId) return undefined;
  return { assistantName: transfer.fromAssistant.name, sealed: transfer.sealedIntroduction };
}
