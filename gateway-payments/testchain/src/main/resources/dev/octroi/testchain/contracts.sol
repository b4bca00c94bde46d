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
    uint8 public immutable decimals;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint8 count) {
        decimals = count;
    }

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

interface IReceiveToken {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

interface ICollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// Collects deposits by Permit2, for the contract that holds the money of channels alone.
contract PermitCollector is ICollector {
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    address private constant CHANNELS = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;
    bytes32 private constant WITNESS = keccak256("DepositWitness(bytes32 channelId)");
    string private constant WITNESS_TYPE =
        "DepositWitness witness)DepositWitness(bytes32 channelId)TokenPermissions(address token,uint256 amount)";

    error WrongSender();

    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        if (msg.sender != CHANNELS) revert WrongSender();
        (uint256 nonce, uint256 deadline, bytes memory signature, bytes memory allowance) =
            abi.decode(data, (uint256, uint256, bytes, bytes));
        if (allowance.length > 0) allow(payer, token, allowance);
        PERMIT2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(IPermit2.TokenPermissions(token, amount), nonce, deadline),
            IPermit2.SignatureTransferDetails(CHANNELS, amount),
            payer,
            keccak256(abi.encode(WITNESS, channelId)),
            WITNESS_TYPE,
            signature
        );
    }

    function allow(address payer, address token, bytes memory allowance) private {
        (uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) =
            abi.decode(allowance, (uint256, uint256, uint8, bytes32, bytes32));
        try IPermitToken(token).permit(payer, address(PERMIT2), value, deadline, v, r, s) {} catch {}
    }
}

/// Collects deposits that the token authorizes (EIP-3009).
contract DepositCollector is ICollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(data, (uint256, uint256, uint256, bytes));
        IReceiveToken(token).receiveWithAuthorization(
            payer, address(this), amount, validAfter, validBefore, keccak256(abi.encode(channelId, salt)), signature
        );
        IReceiveToken(token).transfer(msg.sender, amount);
    }
}

/// Holds the money of channels, and pays it out for vouchers.
contract BatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }

    struct Receiver {
        uint128 claimed;
        uint128 settled;
    }

    bytes32 private constant CONFIG = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant ENTRY =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant BATCH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => Receiver)) public receivers;

    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed receiver, uint128 delta, uint128 newTotal);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error InvalidSignature();
    error WrongDeposit();
    error WrongSender();
    error NothingAsked();
    error TooEarly();

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata data) external {
        bytes32 id = idOf(config);
        uint256 before = IReceiveToken(config.token).balanceOf(address(this));
        ICollector(collector).collect(config.payer, config.token, amount, id, data);
        if (IReceiveToken(config.token).balanceOf(address(this)) != before + amount) revert WrongDeposit();
        channels[id].balance += amount;
        emit Deposited(id, msg.sender, amount, channels[id].balance);
    }

    function claim(VoucherClaim[] calldata claims) external {
        for (uint256 i = 0; i < claims.length; i++) {
            ChannelConfig calldata config = claims[i].voucher.channel;
            if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert WrongSender();
            take(claims[i]);
        }
    }

    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata signature) external {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; i++) {
            Voucher calldata voucher = claims[i].voucher;
            entries[i] = keccak256(
                abi.encode(ENTRY, idOf(voucher.channel), voucher.maxClaimableAmount, claims[i].totalClaimed)
            );
        }
        address signer = recovered(keccak256(abi.encode(BATCH, keccak256(abi.encodePacked(entries)))), signature);
        for (uint256 i = 0; i < claims.length; i++) {
            if (signer != claims[i].voucher.channel.receiverAuthorizer) revert InvalidSignature();
            take(claims[i]);
        }
    }

    function settle(address receiver, address token) external {
        Receiver storage due = receivers[receiver][token];
        uint128 amount = due.claimed - due.settled;
        if (amount == 0) return;
        due.settled = due.claimed;
        IReceiveToken(token).transfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.receiver && msg.sender != config.receiverAuthorizer) revert WrongSender();
        giveBack(config, amount);
    }

    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature)
        external
    {
        bytes32 id = idOf(config);
        bytes32 said = keccak256(abi.encode(REFUND, id, nonce, amount));
        if (nonce != refundNonce[id] || recovered(said, signature) != config.receiverAuthorizer) {
            revert InvalidSignature();
        }
        giveBack(config, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert WrongSender();
        bytes32 id = idOf(config);
        pendingWithdrawals[id] = Withdrawal(amount, uint40(block.timestamp));
        emit WithdrawInitiated(id, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert WrongSender();
        bytes32 id = idOf(config);
        Withdrawal memory pending = pendingWithdrawals[id];
        if (pending.amount == 0 || block.timestamp < pending.initiatedAt + config.withdrawDelay) revert TooEarly();
        delete pendingWithdrawals[id];
        uint128 amount = least(pending.amount, left(id));
        channels[id].balance -= amount;
        IReceiveToken(config.token).transfer(config.payer, amount);
        emit WithdrawFinalized(id, msg.sender, amount);
    }

    function take(VoucherClaim calldata claimed) private {
        ChannelConfig calldata config = claimed.voucher.channel;
        bytes32 id = idOf(config);
        Channel storage channel = channels[id];
        if (claimed.totalClaimed <= channel.totalClaimed) return;
        if (claimed.totalClaimed > claimed.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        if (claimed.totalClaimed > channel.balance) revert ClaimExceedsBalance();
        address signer = config.payerAuthorizer == address(0) ? config.payer : config.payerAuthorizer;
        bytes32 said = keccak256(abi.encode(VOUCHER, id, claimed.voucher.maxClaimableAmount));
        if (recovered(said, claimed.signature) != signer) revert InvalidSignature();
        uint128 delta = claimed.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = claimed.totalClaimed;
        receivers[config.receiver][config.token].claimed += delta;
        emit Claimed(id, config.receiver, delta, claimed.totalClaimed);
    }

    function giveBack(ChannelConfig calldata config, uint128 asked) private {
        if (asked == 0) revert NothingAsked();
        bytes32 id = idOf(config);
        refundNonce[id]++;
        uint128 amount = least(asked, left(id));
        if (amount == 0) return;
        channels[id].balance -= amount;
        pendingWithdrawals[id].amount = least(pendingWithdrawals[id].amount, left(id));
        IReceiveToken(config.token).transfer(config.payer, amount);
        emit Refunded(id, msg.sender, amount);
    }

    function left(bytes32 id) private view returns (uint128) {
        return channels[id].balance - channels[id].totalClaimed;
    }

    function least(uint128 one, uint128 other) private pure returns (uint128) {
        return one < other ? one : other;
    }

    function idOf(ChannelConfig calldata config) private view returns (bytes32) {
        return digest(
            keccak256(
                abi.encode(
                    CONFIG,
                    config.payer,
                    config.payerAuthorizer,
                    config.receiver,
                    config.receiverAuthorizer,
                    config.token,
                    config.withdrawDelay,
                    config.salt
                )
            )
        );
    }

    function recovered(bytes32 said, bytes calldata signature) private view returns (address) {
        if (signature.length != 65) revert InvalidSignature();
        return ecrecover(
            digest(said), uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64])
        );
    }

    function digest(bytes32 said) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("x402 Batch Settlement"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, said));
    }
}
