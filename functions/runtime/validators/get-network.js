// Generated from shared/contract by npm run generate.
var p=r,c=r;function r(e,{instancePath:s=""}={}){let t=null,o=0;return e&&typeof e=="object"&&!Array.isArray(e)||((t??=[]).push({instancePath:s,keyword:"type",params:{type:"object"}}),o++),r.errors=t,o===0}export{c as default,p as validate};
