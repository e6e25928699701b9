import { describe, expect, it } from '@jest/globals';
import { linksOf } from './mailbox.ts';

describe('the links of a mail', () => {
  it.each([
    { text: 'Go to https://a.example/x?y=1&z=2#t now', links: ['https://a.example/x?y=1&z=2#t'] },
    { text: 'See https://a.example/x.', links: ['https://a.example/x'] },
    { text: 'The token https://a.example/t/a-_\nends so', links: ['https://a.example/t/a-_'] },
    { text: 'Really (https://a.example/x)?', links: ['https://a.example/x'] },
    { text: 'A wiki: https://a.example/x_(y), too', links: ['https://a.example/x_(y)'] },
    { text: '<https://a.example/x> and "http://b.example"', links: ['https://a.example/x', 'http://b.example'] },
    {
      text: 'http://127.0.0.1:8080/invitations/tok-en_1~\nBye',
      links: ['http://127.0.0.1:8080/invitations/tok-en_1~'],
    },
    {
      text: 'https://b.example https://a.example https://b.example',
      links: ['https://b.example', 'https://a.example'],
    },
    { text: 'mailto:a@b.example ftp://a.example', links: [] },
    { text: '', links: [] },
  ])('the links of a mail are found in the text $text', ({ text, links }) => {
    expect(linksOf(text, null)).toEqual(links);
  });

  it.each([
    { html: '<a href="https://a.example/?x=1&amp;y=2">x</a>', links: ['https://a.example/?x=1&y=2'] },
    { html: "<A class=b HREF='https://a.example'>x</A>", links: ['https://a.example'] },
    { html: '<a href=https://a.example/b>x</a>', links: ['https://a.example/b'] },
    { html: '<a href="mailto:a@b.example">x</a><a href="#top">x</a><a>x</a>', links: [] },
    { html: '<!-- <a href="https://old.example">x</a> --><img src="https://pixel.example">', links: [] },
  ])('the links of a mail are found in the HTML $html', ({ html, links }) => {
    expect(linksOf(null, html)).toEqual(links);
  });

  it('the links of a mail are listed once when text and HTML contain the same, those of the text first', () => {
    const html = '<a href="https://only-html.example">x</a><a href="https://both.example">y</a>';
    expect(linksOf('https://both.example', html)).toEqual(['https://both.example', 'https://only-html.example']);
  });
});
