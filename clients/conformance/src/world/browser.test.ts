import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { Connections, Network } from '../http/network.ts';
import { Browser } from './browser.ts';
import { findForm, textOf } from './forms.ts';

const connections = new Connections();
const FORM = `<form method="post" action="/signin?again=1"><input type=hidden name=token value="a&amp;b">
  <label for="mail">Email <small>of work</small></label><input id='mail' name="email" value="">
  <label>Password <input type="password" name="password"></label>
  <input type="checkbox" name="stay"><input type="checkbox" name="news" value="yes" checked>
  <button name="how" value="quick">Sign in</button><button name="how" value="slow">Wait</button></form>`;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer((request, _body, response) => {
    const { url = '', method } = request;
    if (url === '/signin' && method === 'GET')
      return void response.writeHead(200, { 'Set-Cookie': 'form=1; Path=/; HttpOnly' }).end(FORM);
    if (url === '/signin?again=1')
      return void response
        .writeHead(303, { 'Set-Cookie': ['session=2; Path=/', 'form=; Max-Age=0'], Location: '/home' })
        .end();
    if (url === '/home') return void response.writeHead(200).end(`<p>${request.headers.cookie}</p>`);
    if (url === '/away') return void response.writeHead(302, { Location: 'https://app.example/cb?code=1' }).end();
    response.writeHead(302, { Location: url }).end();
  });
});
afterAll(async () => {
  connections.close();
  await server.close();
});

const browser = () => new Browser(new Network({ connections }), server.url);

it('a form is found by its button and the labels of its fields, with what it sends', () => {
  const form = findForm(`<form><button>Search</button></form>${FORM}`, 'Wait', ['Password'])!;
  expect(form).toMatchObject({ method: 'post', action: '/signin?again=1' });
  expect(form.values).toEqual({ token: 'a&b', email: '', password: '', news: 'yes', how: 'slow' });
  expect(form.names.get('Email of work')).toBe('email');
  expect(findForm(FORM, 'Sign in', ['One-time code'])).toBeUndefined();
  expect(textOf('<style>p{}</style><p>A &lt;b&gt;\n <b>c&#39;s</b></p>')).toBe("A <b> c's");
});

it('a browser keeps cookies, sends forms and follows redirects that stay at the server', async () => {
  const one = browser();
  server.requests.length = 0;
  const page = await one.press(await one.open('/signin'), 'Sign in', {
    'Email of work': 'a@b.example',
    Password: 'x y',
  });
  expect([page.path, page.reply.text, page.leaves]).toEqual(['/home', '<p>session=2</p>', undefined]);
  expect(server.requests[1]).toContain('token=a%26b&email=a%40b.example&password=x+y&news=yes&how=quick');
});

it('a browser does not go to another server, nor round in circles, nor beyond a page without its form', async () => {
  const one = browser();
  expect((await one.open('/away')).leaves?.href).toBe('https://app.example/cb?code=1');
  await expect(one.open('/round')).rejects.toThrow('redirects more than');
  await expect(one.press(await one.open('/signin'), 'Allow')).rejects.toThrow('has no form with the button Allow');
});
