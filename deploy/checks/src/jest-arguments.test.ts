import { describe, expect, it } from '@jest/globals';
import { jestArguments } from './jest-arguments.ts';

describe('the arguments of Jest', () => {
  it('the arguments of Jest are taken as they are at the top of the repository', () => {
    expect(jestArguments('', ['services/directory', '-t', 'contact'])).toEqual(['services/directory', '-t', 'contact']);
  });

  it('the arguments of Jest select all tests of a folder', () => {
    expect(jestArguments('services/directory', [])).toEqual(['/services/directory/']);
    expect(jestArguments('libs/queues', ['-t', 'lease', '--verbose'])).toEqual([
      '-t',
      'lease',
      '--verbose',
      '/libs/queues/',
    ]);
  });

  it('the arguments of Jest select files below the folder', () => {
    expect(jestArguments('services/directory', ['test/employees', './src/contacts', '-t', 'a name'])).toEqual([
      '-t',
      'a name',
      '/services/directory/.*test/employees',
      '/services/directory/.*src/contacts',
    ]);
  });
});
