import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@parley/telemetry';
import { type OwnNats, ownNats } from '@parley/testkit';
import { createTransport, type Transporter } from 'nodemailer';
import { createMailbox, listenSmtp } from '../src/mail/mailbox.ts';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
let mailer: Transporter;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats);
  // Services are configured like this: TLS if the server offers it.
  mailer = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort });
});
afterAll(async () => {
  mailer?.close();
  await sandbox?.stop();
  await nats?.close();
});

const from = 'Parley <no-reply@parley.example>';

describe('the mail box', () => {
  it('the mail box has a mail as soon as it is sent: text, html and links', async () => {
    await mailer.sendMail({
      from,
      to: 'Ada <ada@customer.example>',
      subject: 'Invitation to Blåbær ☎',
      text: 'Hello,\nset your password: https://app.example/invitations/t0k-en_?a=1&b=2.',
      html: '<p><a href="https://app.example/invitations/t0k-en_?a=1&amp;b=2">Set password</a> <a href="https://help.example">Help</a></p>',
    });
    const { status, body } = await sandbox.ask('GET', '/emails?to=ada@customer.example');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        to: 'ada@customer.example',
        subject: 'Invitation to Blåbær ☎',
        text: expect.stringContaining('set your password: https://app.example/invitations/t0k-en_?a=1&b=2.'),
        html: expect.stringContaining('<a href="https://help.example">Help</a>'),
        links: ['https://app.example/invitations/t0k-en_?a=1&b=2', 'https://help.example'],
      },
    ]);
  });

  it('the mail box lists the newest first, of one recipient or of all', async () => {
    for (const subject of ['first', 'second', 'third'])
      await mailer.sendMail({ from, to: subject === 'second' ? 'b@order.example' : 'a@order.example', subject });
    const subjects = async (query: string) =>
      (await sandbox.ask('GET', `/emails${query}`)).body.map((email: { subject: string }) => email.subject);
    expect(await subjects('?to=a@order.example')).toEqual(['third', 'first']);
    expect((await subjects('')).slice(0, 3)).toEqual(['third', 'second', 'first']);
    expect(await subjects('?to=nobody@order.example')).toEqual([]);
  });

  it('the mail box delivers to every recipient, blind copies too, whatever the case of the address', async () => {
    await mailer.sendMail({ from, to: ['x@many.example', 'Y@many.example'], bcc: 'z@many.example', subject: 'all' });
    for (const to of ['x@many.example', 'y@MANY.example', 'z@many.example'])
      expect((await sandbox.ask('GET', `/emails?to=${to}`)).body).toMatchObject([{ subject: 'all' }]);
  });

  it('the mail box finds an address with a plus sign, encoded or not', async () => {
    await mailer.sendMail({ from, to: 'a+b@plus.example', subject: 'plus', text: 'x' });
    for (const to of ['a+b@plus.example', 'a%2Bb@plus.example'])
      expect((await sandbox.ask('GET', `/emails?to=${to}`)).body).toMatchObject([{ to: 'a+b@plus.example' }]);
  });

  it('the mail box reports a missing part', async () => {
    await mailer.sendMail({ from, to: 'text@part.example', subject: 's', text: 'only text' });
    await mailer.sendMail({ from, to: 'html@part.example', subject: 's', html: '<a href="http://a.example/">x</a>' });
    expect((await sandbox.ask('GET', '/emails?to=text@part.example')).body).toMatchObject([{ html: null, links: [] }]);
    expect((await sandbox.ask('GET', '/emails?to=html@part.example')).body).toMatchObject([
      { text: null, links: ['http://a.example/'] },
    ]);
  });

  it('the mail box reports which address is taken', async () => {
    const address = { host: '127.0.0.1', port: sandbox.smtpPort };
    await expect(
      listenSmtp(address, createMailbox(), createLog({ service: 'sandbox', level: 'silent' })),
    ).rejects.toThrow(`cannot listen on 127.0.0.1:${address.port}: it is already in use`);
  });
});
