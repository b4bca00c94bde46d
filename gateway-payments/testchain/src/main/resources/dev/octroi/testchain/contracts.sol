// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

// Stand-ins of our own for contracts that no package has, and a plain token with permits.

interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessType,
        bytes calldata signature
    ) external;
}

interface IPermitToken {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

abstract contract Proxy {
    IPermit2 public constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    event Settled();
    event SettledWithPermit();

    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();

    function take(EIP2612Permit calldata allowance, IPermit2.PermitTransferFrom calldata permit, address owner)
        internal
    {
        if (allowance.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        try IPermitToken(permit.permitted.token).permit(
            owner, address(PERMIT2), allowance.value, allowance.deadline, allowance.v, allowance.r, allowance.s
        ) {} catch {}
    }

    function check(address owner, address to, uint256 validAfter) internal view {
        if (owner == address(0)) revert InvalidOwner();
        if (to == address(0)) revert InvalidDestination();
        if (block.timestamp < validAfter) revert PaymentTooEarly();
    }
}

contract ExactProxy is Proxy {
    bytes32 private constant WITNESS = keccak256("Witness(address to,uint256 validAfter)");
    string private constant WITNESS_TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    struct Witness {
        address to;
        uint256 validAfter;
    }

    error InvalidAmount();

    function settle(
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        transfer(permit, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata allowance,
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        take(allowance, permit, owner);
        transfer(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function transfer(
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        if (permit.permitted.amount == 0) revert InvalidAmount();
        check(owner, witness.to, witness.validAfter);
        PERMIT2.permitWitnessTransferFrom(
            permit,
            IPermit2.SignatureTransferDetails(witness.to, permit.permitted.amount),
            owner,
            keccak256(abi.encode(WITNESS, witness.to, witness.validAfter)),
            WITNESS_TYPE,
            signature
        );
    }
}

contract UptoProxy is Proxy {
    bytes32 private constant WITNESS = keccak256("Witness(address to,address facilitator,uint256 validAfter)");
    string private constant WITNESS_TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";

    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    error AmountExceedsPermitted();
    error UnauthorizedFacilitator();

    function settle(
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        transfer(permit, amount, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata allowance,
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        take(allowance, permit, owner);
        transfer(permit, amount, owner, witness, signature);
        emit SettledWithPermit();
    }

    function transfer(
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        check(owner, witness.to, witness.validAfter);
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        PERMIT2.permitWitnessTransferFrom(
            permit,
            IPermit2.SignatureTransferDetails(witness.to, amount),
            owner,
            keccak256(abi.encode(WITNESS, witness.to, witness.facilitator, witness.validAfter)),
            WITNESS_TYPE,
            signature
        );
    }
}

/// Passes a call on, as a stranger's contract can.
contract Forwarder {
    function forward(address target, bytes calldata data) external {
        (bool success,) = target.call(data);
        require(success, "forwarded");
    }
}

contract PlainToken {
    string public constant name = "Plain";
    string public constant version = "1";
    uint8 public constant decimals = 18;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "late");
        bytes32 said = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), said)), v, r, s);
        require(signer == owner && owner != address(0), "signature");
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
