const LANGUAGES = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk ' +
    'te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ' +
    'ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su'
  ).split(' '),
);

const ALIASES: Readonly<Record<string, string>> = { nb: 'no', iw: 'he', in: 'id', cmn: 'zh', yue: 'zh', jv: 'jw' };

/** The recogniser's name for a language code; it finds out by itself what it has no name for. */
export function whisperLanguage(language: string): string {
  const base = language.toLowerCase().split(/[-_]/)[0] ?? '';
  const code = ALIASES[base] ?? base;
  return LANGUAGES.has(code) ? code : 'auto';
}
