/** An e-mail's words; `html` has the same ones. */
export interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function invitationText(about: { name: string; companyName: string | undefined; link: string }): MailText {
  const inviter = about.companyName ?? 'Your company';
  const paragraphs = [
    `Hello ${about.name},`,
    `${inviter} has invited you to Parley. Choose a password to sign in for the first time:`,
    about.link,
    'The link works once, within seven days. If you did not expect this e-mail, you can ignore it.',
  ];
  const html = paragraphs.map((text) =>
    text === about.link ? `<p><a href="${escape(text)}">${escape(text)}</a></p>` : `<p>${escape(text)}</p>`,
  );
  return {
    subject: `${inviter} has invited you to Parley`.replaceAll(/[\r\n]+/g, ' '),
    text: paragraphs.join('\n\n'),
    html: `<!doctype html><html lang="en"><body>${html.join('')}</body></html>`,
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
