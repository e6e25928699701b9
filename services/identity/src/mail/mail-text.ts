/** The text of an e-mail; `html` has the same content. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Mail programs read styles from the elements only. The colours are those of the dashboard, in light. */
const STYLES = {
  body: 'margin:0;padding:32px 16px;background:#f2f4f4;color:#12181b;font:15px/24px Inter,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  card: 'max-width:504px;margin:0 auto;padding:28px 32px;background:#ffffff;border:1px solid #e3e8e8;border-radius:12px',
  brand: 'margin:0 0 20px;font-weight:600;color:#0d6480',
  text: 'margin:0 0 16px',
  quote: 'margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid #c5d8df',
  button:
    'display:inline-block;padding:9px 18px;border-radius:6px;background:#0d6480;color:#ffffff;font-weight:500;text-decoration:none',
  address: 'margin:0 0 16px;font-size:12px;line-height:18px;color:#5c6870;word-break:break-all',
  last: 'margin:0;padding-top:16px;border-top:1px solid #e3e8e8;font-size:13px;line-height:20px;color:#4a555b',
} as const;

/** Paragraph by paragraph; the one that is `link` becomes a button with the words of `action`. */
export function mailText(words: {
  subject: string;
  paragraphs: readonly string[];
  link?: string;
  action?: string;
}): MailText {
  const { subject, paragraphs, link, action = 'Open Parley' } = words;
  const html = paragraphs.map((text, index) => {
    if (text === link) return button(text, action);
    const isLast = index > 1 && index === paragraphs.length - 1;
    const style = text.startsWith('“') ? STYLES.quote : isLast ? STYLES.last : STYLES.text;
    return `<p style="${style}">${escape(text)}</p>`;
  });
  return {
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    text: paragraphs.join('\n\n'),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="${STYLES.body}"><div style="${STYLES.card}"><p style="${STYLES.brand}">Parley</p>${html.join('')}</div></body></html>`,
  };
}

/** The address follows in words, for who wants to see where the button leads. */
function button(link: string, action: string): string {
  const address = escape(link);
  return `<p style="${STYLES.text}"><a href="${address}" style="${STYLES.button}">${escape(action)}</a></p><p style="${STYLES.address}">${address}</p>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
