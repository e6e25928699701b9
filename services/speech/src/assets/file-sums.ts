/**
 * The sha256 of every file that is taken from a package, by its path there. A file that differs by one bit is not used:
 * most of these packages are one-person uploads, and a version number alone proves nothing.
 */
export type FileSums = Readonly<Record<string, string>>;

export const dittliEnglishSums: FileSums = {
  'package.json': '2b58d457a52aecfe2ffc164450eddf2d1082a5c2fa397651af01a0d7b107ed41',
  'src/g2p_en.js': 'a6b30cda67cadd6766a18d736a4a3ee93ebdae3624a7ba1540a5d8536199dbde',
  'src/g2p_predict.js': 'aec2069783326fba83433be05a592c6c797c5580a85d75c532d045775e439862',
  'assets/en/cmudict.json': '592b3a124fc79d850eaa1ec117b13503a48723ae710555fd44f155ba71409740',
  'assets/en/g2p_model.json': 'b9bf424ae0d6fea011960032cee6615097db23ab71c5770576c9c44103f1b49f',
  'assets/en/metadata.json': 'a95904be55672ee09479d77d658183752fbd39d442b411ae71d8dfcd0f55c712',
  'assets/en/model.onnx': 'f0244ccac461c46b964a630a2acbb65818ff2454a0d286c31ba878c8cc425efa',
};

export const dittliGermanSums: FileSums = {
  'package.json': 'c3489e418f6f5e6eeb3a9283f0f451eb0c2e5b4c2ae00996d492beadc49b27ea',
  'src/g2p_de.js': '0d3d4b9869aec616e71fe6fea63f4db9ee7f22b35016a4f86ef93967766a2e3d',
  'src/g2p_de_rules.json': 'a9569154874a7d79cc21fe1c9551eabdd4ac227a77c0e4f02163646cfb62df39',
  'assets/de/metadata.json': '4c69c439c89c017394c5ebbad1d86183405154fa3d20ff952142c6a55d35bf25',
  'assets/de/model.onnx': '9779e9bf729daba0bd62d164a6d5cc5ff993074df407154803563f8a26d6feb6',
};

export const espeakSums: FileSums = {
  'package.json': '1395da6974a7f8faa3a46b67ac62088e248a051cbed5c6da10ef1b1d2385dc67',
  COPYING: '8ceb4b9ee5adedde47b31e975c1d90c73ad27b6b165a1dcd80c7c545eb65b903',
  'espeak-ng.data': 'f7f8eff5685c709db9dae81e88a0e0556867d60514f7308ae99e0579369397b5',
  'espeak-ng.js': '3502d997af2640e54518a06845776c8507bfeebd8ff75f80176370e35de9896b',
};

export const sileroSums: FileSums = {
  'dist/silero_vad_v5.onnx': '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
};

/** whisper.cpp built for every generation of x64; it takes the best the processor has. */
export const whisperAddonSums: FileSums = {
  'bins/libggml-base.so': 'ce4b21cdd70b2a0172e1f261a8b5eba71a5ca669b80da3a8ad56500380d667e9',
  'bins/libggml-cpu-alderlake.so': 'd9f5090b8ce55d072af66d9d7323eb5d4c6bd226d68ec73d3d7c77140d029935',
  'bins/libggml-cpu-cannonlake.so': '2d0c4c6fe1dcc92ff7b575401f86990708c2d954c11bd73aadea92fb492f6da7',
  'bins/libggml-cpu-cascadelake.so': '1afbb6a67f3bb755304788b3c216c28f9fda340f93b0de23ef754493129c22f4',
  'bins/libggml-cpu-cooperlake.so': '595b4fde1031a67e4f7d9f79cfa8e97c40fad9abe082a5a7b3630b6d39e84771',
  'bins/libggml-cpu-haswell.so': '4571ab6f10f2aa89dbb27f5730b86c32e9733f5043eb27be8e82e52a62079e37',
  'bins/libggml-cpu-icelake.so': 'bd27e2c6a79d5056996d7beb4934988ffe27a1ee6dc51780e83bb82ac2d21613',
  'bins/libggml-cpu-ivybridge.so': '623ad82f8ca04f0914acca76ad20c0951ad0bfc726412d7641041aa29b92e0cf',
  'bins/libggml-cpu-piledriver.so': 'd37a80efcd5059bb593dfa4a515fe8317c4c72b326f1f6a0da2d726a7865791e',
  'bins/libggml-cpu-sandybridge.so': '3e9dc82c49303671d55630189d6a72e3f75027f552ae182b458f00f034e322b6',
  'bins/libggml-cpu-sapphirerapids.so': 'e689a6f65fe646e986dd20853ba92d041691488c73d53bb15cdaa1adce2456d2',
  'bins/libggml-cpu-skylakex.so': 'feaf82863bda4728abacf2674edba5a7cd9bdf820ad305980cd27bf647d6ac77',
  'bins/libggml-cpu-sse42.so': 'a24b9a3f4b77276f5c9c328628ee5f81b69c0ddbe9545bb519d1267de186beb7',
  'bins/libggml-cpu-x64.so': '1b16149be7f3e18e7e511d39f700c1ad2d982b5e2410395d18751a5024bd0fe9',
  'bins/libggml-cpu-zen4.so': 'fde8364f63836da93edaa83534654ca3a379cf0a78f08ac42d5aa17984660ef5',
  'bins/libggml.so': '8e1a08b3041cd58ce712ba1ac2fdcbebfde70daf1fa92e5045052804deb61b62',
  'bins/libwhisper.so': '7c01094a50508dcd7858d4a0468dc8dff797a282bfafb706832651b19af98a3e',
  'bins/whisper-addon.node': '65f7d726f0eec723c7f53c8f5d5eec98d497203b55965e5a0372b4cca30beff5',
};

/** The same file as the ggml-tiny that whisper.cpp itself publishes. */
export const whisperTinySums: FileSums = {
  'lib/whisper-tiny.bin': 'be07e048e1e599ad46341c8d2a135645097a538221678b7acdd1b1919c6e1b21',
};

/** The same file as the ggml-tiny-q8_0 that whisper.cpp itself publishes. */
export const whisperQuantizedSum = 'c2085835d3f50733e2ff6e4b41ae8a2b8d8110461e18821b09a15c40c42d1cca';

/** The same bytes as in another publisher's package. */
export const moonshineTinySums: FileSums = {
  LICENSE: '37fc5d9a86547a0dd64a07cff439ba2a6b79cc8f6555a05121fed32866591159',
  'dist/model/tiny/quantized/decoder_model_merged.onnx':
    'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
  'dist/model/tiny/quantized/encoder_model.onnx': 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
};

export const llamaTokenizerSums: FileSums = {
  'LICENSE.md': '3653278f58b6808e43039ae8242808c6bfd68c00cc80ee30858347acb99f6ed6',
  'llama-tokenizer.js': '34a7b9f7579d40486444590c37cba6564ef40c3dd98ecdfc2f7c886ae72c898d',
};

export const miniLmSums: FileSums = {
  'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx':
    'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  'models/Xenova/all-MiniLM-L6-v2/tokenizer.json': 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
};

export const onnxRuntimeSums: FileSums = {
  'package.json': '0871cd56ac2b9c9dfc834c7eabba819e5d4f966f005388515abb3402b14e0874',
  'dist/backend.js': 'a79e8019e7276a282987023f9d38d41063a99e563e5e1a6f38a73a7d39ea83ab',
  'dist/binding.js': '2a85ac5de943c7222aae5ca2897f52d73891f528d4295b701fab077470c668c0',
  'dist/index.js': '019eb02133b94b1f7fdf2d89eb93b590ce1288d271f7b280647fb3978e6391fa',
  'dist/version.js': '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b',
};

export const onnxRuntimeX64Sums: FileSums = {
  'bin/napi-v6/linux/x64/libonnxruntime.so.1': 'ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23',
  'bin/napi-v6/linux/x64/onnxruntime_binding.node': 'ccdc60b981d93a490cf9513d3f583547252b6e285b72988a96a494f2f006c7b8',
};

export const onnxRuntimeArm64Sums: FileSums = {
  'bin/napi-v6/linux/arm64/libonnxruntime.so.1': '1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76',
  'bin/napi-v6/linux/arm64/onnxruntime_binding.node':
    'afec78dc11d38dc81605b068cefe1fc73ffe77ca240c15468aa40786150beac8',
};

export const onnxRuntimeCommonSums: FileSums = {
  'package.json': '4266741a80346e25820ccc494fbffb95e2f652b6dfb5585025be44df3b0d6722',
  'dist/cjs/package.json': '091a04fa67c7907b98e106fcff8b964e13129754fce72d24f3025b97c4887fa3',
  'dist/cjs/backend-impl.js': '3d25321895995f7e9480570b9a88f121049adf152e1829d0ecb11218da02d487',
  'dist/cjs/backend.js': '325aaee7a2649ea27629666f3ca01c0d80b9751e704ce502e43a8352390749b4',
  'dist/cjs/env-impl.js': '35cd8cac33973538eab471b68622c86c35a6896f4307d1a74c9ca0eda7abbac6',
  'dist/cjs/env.js': '22c7647f8ca1c1b83b437a92b95fee1457fcb72866fa029616b8f146dc609be8',
  'dist/cjs/index.js': 'd7dd6cc9790e87299099fcd1b0ccb4969c01591d7eec0383a1c64dbea133dd1a',
  'dist/cjs/inference-session-impl.js': '88d90723a169297855ad3b564b134c6b685b2661316c81f71fc80da1e203bae0',
  'dist/cjs/inference-session.js': '458be26f316c5068d32a56ddbc30ca0aa687c636e079b3d161a69f0f14a683f1',
  'dist/cjs/onnx-model.js': '667f5fdac4b6df25e17f8a864d4dc619507f541f9fa0aafb6d3572fcca1e25e5',
  'dist/cjs/onnx-value.js': '8446854766f4955ce438a7338216f49223767ecc508bb502b73a3dc1a1f1998e',
  'dist/cjs/tensor-conversion-impl.js': '9815e72c0bb91896035de93b3113a2256a1a998bc53c7b5e6bf5fb4e93714766',
  'dist/cjs/tensor-conversion.js': '28cc462d4a9ea556ecc86c0e6d16a51d61b58d5bc5b4b7b48976b14bc8035bdc',
  'dist/cjs/tensor-factory-impl.js': 'a3204838a2c14416e4e61c968dc17c663ab3c9b8b2c4a8b7f2a1c5b06e3e5173',
  'dist/cjs/tensor-factory.js': '13b8d735350b828a49bda8aeec50b1dac888cf42268006efc4312f50a88b6906',
  'dist/cjs/tensor-impl-type-mapping.js': '333110edbbffdb7575ea340cb341bcaf691862d6594a649db28097f7d8cb19b7',
  'dist/cjs/tensor-impl.js': '11645352ba5d08971344717d3339f86aac560f84f29229b2ebe07f1ec8aa8905',
  'dist/cjs/tensor-utils-impl.js': 'e7b1db989d33d54bdd1807b080a0989ff0b10d5f7dd8c93b92bbf293103aa4d5',
  'dist/cjs/tensor-utils.js': 'd3f577e90dc2257c72ac728e5e6355c34af0342d971158d9f22b69d22aa97b8d',
  'dist/cjs/tensor.js': '9097114de356750f36f28776fa6ccd08d13694f0f9aac9e7669c30b6c43153f7',
  'dist/cjs/trace.js': 'faecd0df94998d786e2085d56aa6003449f1ac3b35c350e0d2762498604e5d72',
  'dist/cjs/type-helper.js': '7f786da8d2a611ad751c70a74edf4d9acfccd26be8e5c6b1cb730f982892bf32',
  'dist/cjs/version.js': '0a1a7f532f4455ead0678966815c3114730150aa4368ebb5ebd9727425e9003b',
};
