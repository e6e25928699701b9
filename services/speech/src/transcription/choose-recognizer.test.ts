import { describe, expect, it } from '@jest/globals';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { chooseRecognizers, type RecognizedTurn } from './choose-recognizer.ts';

const heard = (text: string, confidence: number, secs = 4, channel = 0): RecognizedTurn => ({
  turn: { channel, startMs: 0, samples: new Int16Array(secs * SPEECH_RATE) },
  text,
  confidence,
});
function choose(turns: readonly RecognizedTurn[], language = '', withWhisper = true) {
  const { settled, doubtful } = chooseRecognizers(turns, language, withWhisper);
  const textOf = new Map(turns.map(({ turn, text }) => [turn, text]));
  return {
    settled: settled.map(({ text }) => text),
    doubtful: Object.fromEntries([...doubtful].map(([spoken, own]) => [spoken, own.map((turn) => textOf.get(turn))])),
  };
}

describe('the recogniser of a turn', () => {
  it('the recogniser of a turn is Moonshine where it is sure', () => {
    expect(choose([heard('Hello.', -0.1), heard('My bike is broken.', -0.3)])).toEqual({
      settled: ['Hello.', 'My bike is broken.'],
      doubtful: {},
    });
  });

  it('the recogniser of a turn is whisper, in English, for an unclear turn of somebody who speaks English', () => {
    const turns = [heard('Hello there.', -0.1), heard('icicle', -0.6, 2)];
    expect(choose(turns)).toEqual({ settled: ['Hello there.'], doubtful: { en: ['icicle'] } });
    expect(choose([heard('icicle', -0.6)], 'en-GB')).toEqual({ settled: [], doubtful: { en: ['icicle'] } });
  });

  it('the recogniser of a turn is whisper, which detects the language, for somebody who speaks another one, whoever else speaks English', () => {
    const german = [heard('The second part is the standard.', -0.9, 6, 1), heard('Yeah, okay.', -0.3, 0.9, 1)];
    expect(choose([heard('Hello.', -0.1), ...german])).toEqual({
      settled: ['Hello.'],
      doubtful: { '': ['The second part is the standard.', 'Yeah, okay.'] },
    });
  });

  it('the recogniser of a turn is Moonshine for a word or a noise among clear English, which is not worth the time of whisper', () => {
    expect(choose([heard('Hello.', -0.1), heard('Hm.', -1.5, 0.6)]).doubtful).toEqual({});
  });

  it('the recogniser of a turn is never whisper for English where there is none', () => {
    const turns = [heard('Hello there.', -0.1), heard('icicle', -0.6, 2)];
    expect(choose(turns, '', false)).toEqual({ settled: ['Hello there.', 'icicle'], doubtful: {} });
  });
});
