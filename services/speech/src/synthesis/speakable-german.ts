const SIGNS: Readonly<Record<string, string>> = {
  '&': ' und ',
  '%': ' Prozent ',
  '@': ' ät ',
  '*': ' Stern ',
  '#': ' Raute ',
  '+': ' plus ',
  '€': ' Euro ',
  $: ' Dollar ',
  '/': ' ',
  _: ' ',
};

/** Normalises a German text for the engine, which supports numbers, but no symbols, times and long numbers. */
export function speakableGerman(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[„“”"()[\]{}<>«»‚‘’]/g, ' ')
    .replaceAll(/[–—;:](?=\s|$)|\s[-–—]\s/g, ', ')
    .replaceAll(/\b(\d{1,2})[:.](\d{2})\s*Uhr\b/g, (_, hour: string, minute: string) => time(hour, minute))
    .replaceAll(/\b(\d{1,2}):(\d{2})\b/g, (_, hour: string, minute: string) => time(hour, minute))
    .replaceAll(/\b\d{1,3}(?:\.\d{3})+\b/g, (number) => number.replaceAll('.', ''))
    .replaceAll(/\b(\d+),(\d+)\b/g, (_, whole: string, part: string) => `${whole} Komma ${spell(part)}`)
    .replaceAll(/\d{7,}|\b0\d+/g, spell)
    .replaceAll(/(?<=\p{L})\.(?=\p{L})/gu, ' Punkt ')
    .replaceAll(/[&%@*#+€$/_]/g, (sign) => SIGNS[sign] ?? ' ')
    .replaceAll(/[^\p{L}\d\s',.!?…-]/gu, ' ')
    .replaceAll(/\s+(?=[,.!?])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Digit by digit, separated, so that the engine reads each digit. */
function spell(digits: string): string {
  return [...digits].join(' ');
}

function time(hour: string, minute: string): string {
  return Number(minute) === 0 ? `${Number(hour)} Uhr` : `${Number(hour)} Uhr ${Number(minute)}`;
}
