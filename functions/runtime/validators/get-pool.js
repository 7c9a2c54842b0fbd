// Generated from shared/contract by npm run generate.
var p=t,c=t;function t(r,{instancePath:l=""}={}){let e=null,o=0;if(!(r&&typeof r=="object"&&!Array.isArray(r))){let s={instancePath:l,keyword:"type",params:{type:"object"}};e===null?e=[s]:e.push(s),o++}return t.errors=e,o===0}export{c as default,p as validate};
